// Neither Debian nor npm provides an S3 server that verifies signatures; the npm emulator fauxqs
// does not.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

/** A received request. */
interface S3Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface S3Server extends LoopbackServer {
  received: S3Received[];
}

/** A service that responds to each request as the test defines: a body, or a status with a body. */
export async function s3Server(answer: (request: S3Received) => string | { status: number; body: string }): Promise<S3Server> {
  const received: S3Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const entry = { method, url, headers, body: await text(request) };
    received.push(entry);
    const result = answer(entry);
    const { status, body } = typeof result === 'string' ? { status: 200, body: result } : result;
    response.writeHead(status).end(body);
  });
  return { ...(await listening(server)), received };
}
