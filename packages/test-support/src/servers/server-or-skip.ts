/**
 * Starts a server. If this machine cannot run it, prints the reason and resolves to `undefined`.
 * With `CI` set, rejects instead, so that CI never skips tests.
 */
export async function serverOrSkip<Server>(name: string, start: () => Promise<Server>): Promise<Server | undefined> {
  try {
    return await start();
  } catch (error) {
    if (process.env['CI']) throw error;
    process.stderr.write(`SKIPPED: the tests with ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}
