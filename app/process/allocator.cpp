// The program's settings for jemalloc (ADR 14), which reads this name before main starts.

extern "C" {
/// A background thread returns memory that was just freed, so that an idle server is small. Without it, pages are
/// returned only while the server allocates.
extern const char* const malloc_conf;
const char* const malloc_conf = "background_thread:true,max_background_threads:1,dirty_decay_ms:3000";
}
