#include "http/protocol/gzip.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

std::string unpacked(const std::string& packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string text(8 * 1024 * 1024, '\0');
  std::string input = packed;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(Gzip, honors_the_weights_of_Accept_Encoding) {
  const std::vector<std::pair<std::string, bool>> rows{{"", false},
                                                       {"gzip", true},
                                                       {"x-gzip", true},
                                                       {"GZIP", true},
                                                       {"gzip, deflate, br", true},
                                                       {"br;q=1.0, gzip;q=0.8, *;q=0.1", true},
                                                       {"gzip;q=0", false},
                                                       {"gzip; q=0.000", false},
                                                       {"gzip;q=0.001", true},
                                                       {"*", true},
                                                       {"*;q=0", false},
                                                       {"*;q=0, gzip", true},
                                                       {"*, gzip;q=0", false},
                                                       {"identity", false},
                                                       {"identity;q=1, gzip;q=0.5", false},
                                                       {"identity;q=0.5, gzip;q=1", true},
                                                       {"gzip;q=1.001", false},
                                                       {"gzip;q=x", false},
                                                       {"gzip;q=0.0001", false},
                                                       {"deflate", false},
                                                       {",,gzip", true}};
  for (const auto& [value, wanted] : rows) EXPECT_EQ(wants_gzip(value), wanted) << value;
}

TEST(Gzip, restores_what_it_compressed) {
  for (const std::size_t size : {1U, 1000U, 100'000U, 3'000'000U}) {
    std::string text(size, 'a');
    for (std::size_t i = 0; i < size; i += 3) text[i] = static_cast<char>(i * i % 251);
    EXPECT_EQ(unpacked(gzipped(text)), text);
  }
}

TEST(Gzip, compresses_only_bodies_that_shrink_enough) {
  for (const auto& [size, is_packed] : {std::pair<std::size_t, bool>{gzip_bytes_min - 1, false},
                                        {gzip_bytes_min, true},
                                        {gzip_bytes_max, true},
                                        {gzip_bytes_max + 1, false}}) {
    Response response{200, {{"ETag", "\"t\""}}, std::string(size, 'x')};
    encode(response, true);
    EXPECT_EQ(response.body.size() < size, is_packed) << size;
    EXPECT_EQ(response.fields.front().second, is_packed ? "\"t-gzip\"" : "\"t\"") << size;
  }
}

class GzipAnswers : public ::testing::Test {
 protected:
  GzipAnswers() {
    id = world.made("/scenarios", {{"name", "s"}, {"description", std::string(3000, 'd')}});
    plain = world.get("/scenarios/" + id);
    packed = world.get("/scenarios/" + id, {{"Accept-Encoding", "gzip"}});
  }
  ApiWorld world;
  std::string id;
  Reading plain, packed;
};

TEST_F(GzipAnswers, have_their_own_tag_and_a_Vary_field_D12) {
  EXPECT_EQ(packed.headers.at("Content-Encoding"), "gzip");
  EXPECT_EQ(unpacked(packed.text), plain.text);
  EXPECT_LT(packed.text.size(), plain.text.size());
  EXPECT_EQ(plain.headers.count("Content-Encoding"), 0u);
  EXPECT_EQ(plain.headers.at("Vary"), "Accept-Encoding");
  EXPECT_EQ(packed.headers.at("Vary"), "Accept-Encoding");
  EXPECT_EQ(packed.headers.at("ETag"), packed_tag(plain.headers.at("ETag")));
  EXPECT_NE(packed.headers.at("ETag"), plain.headers.at("ETag"));
}

TEST_F(GzipAnswers, are_recognized_by_either_tag_D12) {
  for (const Reading& form : {plain, packed}) {
    const std::string tag = form.headers.at("ETag");
    const Reading again =
        world.get("/scenarios/" + id, {{"If-None-Match", tag}, {"Accept-Encoding", "gzip"}});
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.headers.at("ETag"), tag) << "the tag of the client's copy";
    EXPECT_EQ(again.headers.count("Content-Encoding"), 0u);
  }
  EXPECT_EQ(world.get("/scenarios/" + id, {{"If-None-Match", "\"other-gzip\""}}).status, 200);
}

TEST_F(GzipAnswers, allow_a_change_by_either_tag_until_it_is_made_D12) {
  const Headers match{{"If-Match", packed.headers.at("ETag")}};
  const Reading changed = world.patch("/scenarios/" + id, {{"name", "new"}}, match);
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(world.patch("/scenarios/" + id, {{"name", "newer"}}, match).status, 412);
}

TEST_F(GzipAnswers, may_be_problems) {
  Json body{{"name", 1}};
  for (int i = 0; i < 90; ++i) body["assertions"].push_back({{"type", "nothing"}});
  body["scenario"] = id;
  const Reading refused = world.post("/tests", body, {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(Json::parse(unpacked(refused.text)).at("status"), 400);
}

}  // namespace
}  // namespace parley::http
