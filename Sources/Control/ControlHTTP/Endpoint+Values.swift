import Control
import JSON

extension Endpoint {
  /// The endpoints for live values.
  static let aboutValues = [
    Endpoint(
      "GET", "/v1/values", "values", "The live values.", query: Page.fields,
      answer: .page("ValueReport", "The values in natural order of their names."),
      perform: { call in
        try await call.page(by: \.name) { await call.service.values(after: $0, most: $1) }
      }),
    Endpoint(
      "GET", "/v1/values/{value}", "value", "One live value.", answer: .report("ValueReport", "The value."),
      perform: { .json(try await $0.service.value($0.name("value"))) }),
    Endpoint(
      "PUT", "/v1/values/{value}", "setValue",
      "Sets a live value, and updates the displays whose content refers to it.", body: .json("ValueRequest"),
      answer: .report("ValueReport", "The value."), problems: [409],
      perform: { .json(try await $0.service.setValue($0.name("value"), try $0.body())) }),
    Endpoint(
      "PUT", "/v1/values/{value}/rows", "setRows",
      "Sets a live value to the rows of a CSV file, and updates the displays whose tables refer to it.",
      query: [
        Field("header", APISchema.flag, "Whether the first row has titles, and is left out; false by default."),
        Field(
          "max-age", APISchema.integer(ValueRequest.ages, example: 600),
          "The age from which the value is too old, in seconds; without it, the value is never too old, and is stored."
        ),
      ],
      body: .rows, answer: .report("ValueReport", "The value."), problems: [409],
      perform: { .json(try await $0.service.setValue($0.name("value"), try $0.rows())) }),
    Endpoint(
      "DELETE", "/v1/values/{value}", "removeValue",
      "Removes a live value, and updates the displays whose content refers to it.",
      answer: .done("The value was removed."),
      perform: {
        try await $0.service.removeValue($0.name("value"))
        return .nothing
      }),
  ]
}

extension Call {
  /// Returns the live value in a CSV file, with the parameters of the query.
  fileprivate func rows() throws -> ValueRequest {
    let ages = ValueRequest.ages
    let age = try number("max-age", in: ages, "a number of seconds, \(ages.lowerBound) to \(ages.upperBound)")
    return ValueRequest(value: try CSVText.value(of: request.body.bytes, hasHeader: try flag("header")), maxAge: age)
  }
}
