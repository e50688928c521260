/// A kernel module that simulates hotplug interrupts of connectors, which no card of the lab has.
extension DriverModule {
  /// The module.
  ///
  /// The parameter `interrupt` simulates the interrupt of the connector with that name. It calls the kernel's function
  /// for it, which compares the connector's state and sends a hotplug event that names the connector. The parameter
  /// `probes` is the list of connectors that were probed since the last write to it.
  static let interrupt = DriverModule(
    name: "placard_interrupt", folder: "", setting: "CONFIG_PLACARD_INTERRUPT",
    source: #"""
      #include <linux/kprobes.h>
      #include <linux/module.h>
      #include <linux/workqueue.h>
      #include <drm/drm_connector.h>
      #include <drm/drm_probe_helper.h>

      #define MOST 64
      #define NAMES 4096

      static DEFINE_SPINLOCK(lock);
      static struct drm_connector *known[MOST];
      static char probed[NAMES];

      static struct drm_connector *find(const char *name)
      {
        int place;
        for (place = MOST - 1; place >= 0; place--)
          if (known[place] && sysfs_streq(known[place]->name, name)) return known[place];
        return NULL;
      }

      static int probe_begins(struct kprobe *probe, struct pt_regs *registers)
      {
        struct drm_connector *connector = (struct drm_connector *)regs_get_kernel_argument(registers, 0);
        unsigned long flags;
        int place;
        spin_lock_irqsave(&lock, flags);
        strlcat(probed, connector->name, NAMES);
        strlcat(probed, " ", NAMES);
        for (place = 0; place < MOST && known[place] && known[place] != connector; place++) {}
        if (place < MOST && !known[place]) {
          drm_connector_get(connector);
          known[place] = connector;
        }
        spin_unlock_irqrestore(&lock, flags);
        return 0;
      }

      static struct kprobe probe = {
        .symbol_name = "drm_helper_probe_single_connector_modes", .pre_handler = probe_begins,
      };

      static int raise_interrupt(const char *name, const struct kernel_param *parameter)
      {
        struct drm_connector *connector;
        unsigned long flags;
        spin_lock_irqsave(&lock, flags);
        connector = find(name);
        spin_unlock_irqrestore(&lock, flags);
        if (!connector) return -ENOENT;
        /* Such a connector is not polled. */
        connector->polled = DRM_CONNECTOR_POLL_HPD;
        return drm_connector_helper_hpd_irq_event(connector) ? 0 : -EAGAIN;
      }

      static int get_probes(char *text, const struct kernel_param *parameter)
      {
        unsigned long flags;
        int length;
        spin_lock_irqsave(&lock, flags);
        length = scnprintf(text, PAGE_SIZE, "%s\n", probed);
        spin_unlock_irqrestore(&lock, flags);
        return length;
      }

      static int clear_probes(const char *text, const struct kernel_param *parameter)
      {
        unsigned long flags;
        spin_lock_irqsave(&lock, flags);
        probed[0] = 0;
        spin_unlock_irqrestore(&lock, flags);
        return 0;
      }

      static const struct kernel_param_ops interrupt_operations = { .set = raise_interrupt };
      static const struct kernel_param_ops probes_operations = { .set = clear_probes, .get = get_probes };
      module_param_cb(interrupt, &interrupt_operations, NULL, 0200);
      module_param_cb(probes, &probes_operations, NULL, 0600);

      static int __init begin(void) { return register_kprobe(&probe); }
      static void __exit end(void) { unregister_kprobe(&probe); }
      module_init(begin);
      module_exit(end);
      MODULE_LICENSE("Dual MIT/GPL");
      MODULE_DESCRIPTION("Hotplug interrupts of connectors");
      """#)
}

/// Hotplug interrupts.
extension Lab {
  private static let parameters = "/sys/module/\(DriverModule.interrupt.name)/parameters"

  /// The reason why hotplug interrupts are unavailable here; nil if they are available.
  public static var interruptsUnavailableReason: String? { unavailableReason(to: .interrupt) }

  /// Starts to record which connectors the kernel probes.
  ///
  /// - Throws: `LabError` if the kernel module for it cannot be compiled or loaded.
  public func recordProbes() throws(LabError) {
    try load(.interrupt)
    try put("\n".utf8, to: Self.parameters + "/probes")
  }

  /// Returns the names of the connectors that the kernel probed since `recordProbes`, oldest first.
  ///
  /// - Throws: `LabError` if they are not recorded.
  public func probes() throws(LabError) -> [String] {
    try text(Self.parameters + "/probes").split(separator: " ").map(String.init)
  }

  /// Simulates a hotplug interrupt of a connector after its monitor was plugged in or unplugged. The kernel sends a
  /// hotplug event that names the connector.
  ///
  /// - Parameter connector: The connector's name in the kernel, such as `HDMI-A-1`. It was probed since the first call
  ///   of `recordProbes`.
  /// - Throws: `LabError` if there is no such connector, or if nothing changed.
  public func raiseInterrupt(of connector: String) throws(LabError) {
    try put(connector.utf8, to: Self.parameters + "/interrupt")
  }
}
