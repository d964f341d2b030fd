#pragma once
/// Tags for answers without a described C++ type; schemas.cpp has their schemas. Never defined.

namespace parley::http::answers {

struct AgentCheck;
struct EntryAnswer;
struct LocalWork;
struct LogScore;
struct NewApiKey;
struct OpenApi;
struct Repetition;
struct Rescoring;
struct RunComparison;
struct Status;
struct TesterReply;
struct TestResult;
struct Verdict;
struct Version;

}  // namespace parley::http::answers
