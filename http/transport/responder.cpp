#include "http/transport/responder.hpp"

#include <atomic>
#include <utility>

namespace parley::http {

/// State that all copies of one Responder share.
struct Responder::Right {
  Right(std::shared_ptr<AnswerSink> to, std::uint64_t connection_id, std::uint64_t request_number,
        ByteBudget::Share of_body)
      : sink(std::move(to)), connection(connection_id), request(request_number), body(std::move(of_body)) {}
  Right(const Right&) = delete;
  Right& operator=(const Right&) = delete;

  ~Right() {
    if (used) return;
    try {
      sink->post({connection, request, Abandoned{}});
    } catch (...) {
      // Out of memory: the client waits until its own timeout, and the worker survives.
      return;
    }
  }

  template <class Content>
  void use(Content content) {
    if (used.exchange(true)) return sink->on_answered_twice();
    sink->post({connection, request, std::move(content)});
  }

  std::shared_ptr<AnswerSink> sink;
  std::uint64_t connection;
  std::uint64_t request;
  ByteBudget::Share body;
  std::atomic<bool> used = false;
};

Responder::Responder(std::shared_ptr<AnswerSink> sink, std::uint64_t connection, std::uint64_t request,
                     std::shared_ptr<const std::atomic<bool>> gone, ByteBudget::Share body)
    : right_(std::make_shared<Right>(std::move(sink), connection, request, std::move(body))),
      client_left_(std::move(gone)) {}

void Responder::send(Response response) const {
  right_->use(std::move(response));
}

void Responder::send_later(LateResponse response) const {
  right_->use(std::move(response));
}

void Responder::resume(std::function<void()> work) const {
  right_->sink->post({right_->connection, right_->request, Resumed{std::move(work)}});
}

std::shared_ptr<AnswerStream> Responder::stream() const {
  return std::make_shared<AnswerStream>(right_->sink, right_->connection, right_->request, client_left_);
}

AnswerStream::~AnswerStream() {
  try {
    end();
  } catch (...) {
    return;  // out of memory: the timeouts end the connection
  }
}

bool AnswerStream::push(const std::shared_ptr<const std::string>& piece) {
  if (has_ended_ || (client_left_ && *client_left_)) return false;
  sink_->post({connection_, request_, Piece{piece}});
  return true;
}

void AnswerStream::end() {
  if (!std::exchange(has_ended_, true)) sink_->post({connection_, request_, Piece{}});
}

}  // namespace parley::http
