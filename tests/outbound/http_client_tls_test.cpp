// A server with an untrusted certificate receives no byte of the request (I67).

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <atomic>
#include <memory>
#include <string>

#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* held) const {
    Free(held);
  }
};
using Context = std::unique_ptr<SSL_CTX, Deleter<SSL_CTX_free>>;

/// A self-signed certificate for the address that is called.
Context self_signed() {
  const std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>> key(EVP_EC_gen("P-256"));
  const std::unique_ptr<X509, Deleter<X509_free>> certificate(X509_new());
  constexpr long hour_s = 3'600;
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -hour_s);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), hour_s);
  X509_set_pubkey(certificate.get(), key.get());
  auto* name = X509_get_subject_name(certificate.get());
  const std::string text = "127.0.0.1";
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.c_str());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, bytes, -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  Context context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_use_certificate(context.get(), certificate.get());
  SSL_CTX_use_PrivateKey(context.get(), key.get());
  return context;
}

TEST(HttpClient, sends_nothing_to_a_server_without_a_trusted_certificate_I67) {
  const auto context = self_signed();
  std::atomic<int> handshakes = 0, bytes_read = 0;
  const Server server([&](Peer& peer) {
    const std::unique_ptr<SSL, Deleter<SSL_free>> tls(SSL_new(context.get()));
    SSL_set_fd(tls.get(), peer.descriptor());
    ++handshakes;
    if (SSL_accept(tls.get()) != 1) return;
    char byte = 0;
    if (SSL_read(tls.get(), &byte, 1) == 1) ++bytes_read;
  });
  auto limits = small_limits();
  limits.connect_attempts = 1;
  const auto ended = ask_once(to("https://127.0.0.1:" + std::to_string(server.port())), {}, limits);
  EXPECT_EQ(word_of(ended), "tls");
  EXPECT_EQ(failure_of(ended).detail, "the certificate of 127.0.0.1:" + std::to_string(server.port()) +
                                          " is not trusted, or was issued for another host name");
  EXPECT_FALSE(failure_of(ended).was_sent);
  EXPECT_EQ(handshakes, 1);
  EXPECT_EQ(bytes_read, 0);
}

}  // namespace
}  // namespace parley::outbound::support
