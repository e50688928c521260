// libmosquitto, and a TLS context of OpenSSL for it.
//
// libmosquitto's own context reports every refused certificate as "certificate verify failed". This one keeps the
// reason, such as an expired certificate, for the message to the user.
#ifndef PLACARD_CMOSQUITTO_H
#define PLACARD_CMOSQUITTO_H

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/// Keeps the first reason for which a certificate is refused (SSL_CTX_set_verify(3)).
static inline int placard_tls_verify(int is_valid, X509_STORE_CTX *store) {
  SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  int *reason = ssl == NULL ? NULL : SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
  if (!is_valid && reason != NULL && *reason == X509_V_OK) *reason = X509_STORE_CTX_get_error(store);
  return is_valid;
}

/// Creates a context that accepts TLS 1.2 and later and a certificate for the host only, and sets it in a client.
///
/// Without a file of authorities, those of the system count. Returns 0, or the number of the file that cannot be used:
/// 1 authorities, 2 certificate, 3 key; -1 for other failures. `reason` must outlive the client.
static inline int placard_tls_use(
    struct mosquitto *_Nonnull client, const char *_Nonnull host, const char *_Nullable authorities,
    const char *_Nullable certificate, const char *_Nullable key, int *_Nonnull reason) {
  int result = -1;
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  if (context == NULL) return result;
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_app_data(context, reason);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, placard_tls_verify);
  X509_VERIFY_PARAM *names = SSL_CTX_get0_param(context);
  if (X509_VERIFY_PARAM_set1_ip_asc(names, host) != 1 && X509_VERIFY_PARAM_set1_host(names, host, 0) != 1) goto end;
  result = 1;
  if (authorities == NULL ? SSL_CTX_set_default_verify_paths(context) != 1
                          : SSL_CTX_load_verify_locations(context, authorities, NULL) != 1) goto end;
  result = 2;
  if (certificate != NULL && SSL_CTX_use_certificate_chain_file(context, certificate) != 1) goto end;
  result = 3;
  if (key != NULL && SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) goto end;
  if (key != NULL && SSL_CTX_check_private_key(context) != 1) goto end;
  result = -1;
  if (mosquitto_int_option(client, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0) != MOSQ_ERR_SUCCESS) goto end;
  if (mosquitto_void_option(client, MOSQ_OPT_SSL_CTX, context) != MOSQ_ERR_SUCCESS) goto end;
  result = 0;
end:
  ERR_clear_error();
  SSL_CTX_free(context);
  return result;
}

/// Sets how long the broker keeps the session of a client that is away, in seconds (MQTT 5, 3.1.2.11.2).
///
/// mosquitto_connect_bind_v5 is the only function with properties, and waits for the connection. With an invalid port it
/// only keeps the properties, which the next connection sends.
static inline void placard_mqtt_keep_session(struct mosquitto *_Nonnull client, uint32_t seconds) {
  mosquitto_property *properties = NULL;
  if (mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, seconds) != MOSQ_ERR_SUCCESS) return;
  mosquitto_connect_bind_v5(client, "localhost", -1, 60, NULL, properties);
  mosquitto_property_free_all(&properties);
}

#endif
