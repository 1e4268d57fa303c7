// The control of scripts/sanitize: allocates where nothing may be allocated. A build with
// RealtimeSanitizer must end it.
import CRealtime
import Glibc

rt_sanitizer_enter()
let memory = malloc(CommandLine.arguments.count * 1000)
rt_sanitizer_exit()
// Used, so that the allocation is not optimised away.
memset(memory!, 1, 1000)
print("the allocation was not caught: \(memory!.load(as: UInt8.self))")
