#pragma once
/// Names of the answers that no described type stands for; schemas.cpp has their schemas. Never defined; any thread.

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
