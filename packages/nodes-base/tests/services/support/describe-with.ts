import { afterAll, describe, test } from '@jest/globals';
import { serverOrSkip, type TestServer } from '@sluice/test-support/servers';

/** Tests with a server that is started now and closed after them; skipped if this machine cannot have it. */
export async function describeWith<Server extends TestServer>(
  name: string,
  start: () => Promise<Server>,
  tests: (server: Server) => void,
): Promise<void> {
  const server = await serverOrSkip(name, start);
  if (server === undefined) {
    describe.skip(name, () => test('needs the server', () => {}));
    return;
  }
  describe(name, () => {
    afterAll(() => server.close());
    tests(server);
  });
}
