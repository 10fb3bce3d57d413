/**
 * Maximum number of PBKDF2 iterations: about 50 ms on a thread that the whole process shares.
 * Servers use 4,096 to 15,000.
 */
const maxScramIterations = 100_000;

/** Maximum size of a SCRAM message in bytes; libraries split it at once. */
const maxScramBytes = 4 * 1024;

/** Throws if a server requests too many iterations. */
export function checkScramIterations(iterations: number): void {
  if (iterations > maxScramIterations)
    throw new Error(
      `the server requests ${iterations} PBKDF2 iterations for the login; at most ${maxScramIterations} are supported`,
    );
}

/** Throws if a login message is too long. */
export function checkScramLength(bytes: number): void {
  if (bytes > maxScramBytes) throw new Error('a login message from the server is too long');
}
