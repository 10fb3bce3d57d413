/**
 * A started server, or `undefined` if this machine cannot have it, which is printed. Rejects
 * instead where `CI` is set: tests must not be skipped there unnoticed.
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
