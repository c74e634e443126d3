/* Sends a ping with mbedTLS, and prints the answer: ping URL TOKEN CERTS */
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>
#include <mbedtls/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int result, const char *step) {
  char reason[200];
  if (result >= 0) return;
  mbedtls_strerror(result, reason, sizeof reason);
  fprintf(stderr, "%s: %s\n", step, reason);
  exit(1);
}

static char *in(const char *folder, const char *name) {
  char *path = malloc(strlen(folder) + strlen(name) + 2);
  sprintf(path, "%s/%s", folder, name);
  return path;
}

int main(int count, char **given) {
  char host[100], port[10], text[4096];
  if (count != 4 || sscanf(given[1], "https://%99[^:]:%9[0-9]", host, port) != 2) return 2;

  mbedtls_entropy_context entropy;
  mbedtls_ctr_drbg_context random;
  mbedtls_entropy_init(&entropy);
  mbedtls_ctr_drbg_init(&random);
  require(mbedtls_ctr_drbg_seed(&random, mbedtls_entropy_func, &entropy, NULL, 0), "random numbers");

  mbedtls_x509_crt ca, certificate;
  mbedtls_pk_context key;
  mbedtls_x509_crt_init(&ca);
  mbedtls_x509_crt_init(&certificate);
  mbedtls_pk_init(&key);
  if (mbedtls_x509_crt_parse_file(&ca, in(given[3], "ca.pem")) != 0) {
    fprintf(stderr, "ca.pem has a certificate that cannot be read\n");
    return 1;
  }
  require(mbedtls_x509_crt_parse_file(&certificate, in(given[3], "clients/demo/cert.pem")), "cert.pem");
#if MBEDTLS_VERSION_MAJOR >= 3
  require(mbedtls_pk_parse_keyfile(&key, in(given[3], "clients/demo/key.pem"), NULL, mbedtls_ctr_drbg_random, &random), "key.pem");
#else
  require(mbedtls_pk_parse_keyfile(&key, in(given[3], "clients/demo/key.pem"), NULL), "key.pem");
#endif

  mbedtls_ssl_config config;
  mbedtls_ssl_context tls;
  mbedtls_net_context socket;
  mbedtls_ssl_config_init(&config);
  mbedtls_ssl_init(&tls);
  mbedtls_net_init(&socket);
  require(mbedtls_ssl_config_defaults(&config, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM,
                                      MBEDTLS_SSL_PRESET_DEFAULT), "defaults");
  mbedtls_ssl_conf_authmode(&config, MBEDTLS_SSL_VERIFY_REQUIRED);
  mbedtls_ssl_conf_ca_chain(&config, &ca, NULL);
  mbedtls_ssl_conf_rng(&config, mbedtls_ctr_drbg_random, &random);
  require(mbedtls_ssl_conf_own_cert(&config, &certificate, &key), "own certificate");
  require(mbedtls_ssl_setup(&tls, &config), "setup");
  require(mbedtls_ssl_set_hostname(&tls, host), "host name");
  require(mbedtls_net_connect(&socket, host, port, MBEDTLS_NET_PROTO_TCP), "connection");
  mbedtls_ssl_set_bio(&tls, &socket, mbedtls_net_send, mbedtls_net_recv, NULL);
  require(mbedtls_ssl_handshake(&tls), "handshake");

  int length = snprintf(text, sizeof text,
                        "GET /v1/ping HTTP/1.1\r\nHost: %s:%s\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n",
                        host, port, given[2]);
  for (int sent = 0, part; sent < length; sent += part) {
    part = mbedtls_ssl_write(&tls, (unsigned char *)text + sent, length - sent);
    require(part, "request");
  }
  for (;;) {
    int received = mbedtls_ssl_read(&tls, (unsigned char *)text, sizeof text);
    if (received <= 0) break;
    fwrite(text, 1, received, stdout);
  }
  return 0;
}
