// What the program asks of jemalloc (ADR 14), which looks for this name before main begins.

extern "C" {
/// One thread gives back what was freed a moment ago, so that an idle server is a small one; without it pages go back
/// only while the server allocates.
extern const char* const malloc_conf;
const char* const malloc_conf = "background_thread:true,max_background_threads:1,dirty_decay_ms:700";
}
