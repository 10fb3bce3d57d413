// Neither Debian nor npm provides MongoDB; its license is neither MIT nor Apache.
import { createServer, type Socket } from 'node:net';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import { BSON, type Document } from 'mongodb';

export interface MongoServer extends LoopbackServer {
  /** Commands without session fields, except those for the connection itself. */
  received: Document[];
}

const ofTheConnection = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions']);

const greetingOfAll = {
  ok: 1,
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  maxWireVersion: 25,
  minWireVersion: 0,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 1_000,
};

/**
 * A server that replies to each command as the test defines, in MongoDB's wire protocol (OP_MSG;
 * OP_QUERY for the greeting). `greeting` adds fields to the greeting.
 */
export async function mongoServer(
  answer: (command: Document) => Document | undefined,
  greeting: Document = {},
): Promise<MongoServer> {
  const hello = { ...greetingOfAll, ...greeting };
  const received: Document[] = [];
  const server = createServer((socket) => {
    let buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      buffer = Buffer.concat([buffer, chunk]);
      while (buffer.length >= 4 && buffer.length >= buffer.readInt32LE(0)) {
        const message = buffer.subarray(0, buffer.readInt32LE(0));
        buffer = buffer.subarray(message.length);
        responseMessage(socket, message, (command) => {
          if (!command || ofTheConnection.has(Object.keys(command)[0] ?? '')) return hello;
          const { lsid, $db, txnNumber, ...rest } = command;
          received.push(rest);
          return answer(rest);
        });
      }
    });
  });
  return { ...(await listening(server)), received };
}

function responseMessage(socket: Socket, message: Buffer, answer: (command?: Document) => Document | undefined): void {
  const [requestId, isQuery] = [message.readInt32LE(4), message.readInt32LE(12) === 2004];
  const document = answer(isQuery ? undefined : readMessage(message.subarray(20)));
  if (!document) return;
  const body = BSON.serialize({ ok: 1, ...document });
  const head = isQuery ? Buffer.concat([Buffer.alloc(16), Buffer.from([1, 0, 0, 0])]) : Buffer.from([0, 0, 0, 0, 0]);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + head.length + body.length, 0);
  header.writeInt32LE(requestId, 8);
  header.writeInt32LE(isQuery ? 1 : 2013, 12);
  socket.write(Buffer.concat([header, head, body]));
}

/** The command, with its document sequences under their names. */
function readMessage(sections: Buffer): Document {
  const command: Document = {};
  let rest = sections;
  while (rest.length > 0) {
    const size = rest.readInt32LE(1);
    if (rest[0] === 0) Object.assign(command, BSON.deserialize(rest.subarray(1, 1 + size)));
    else {
      const nameEnd = rest.indexOf(0, 5);
      command[rest.toString('utf8', 5, nameEnd)] = documentsIn(rest.subarray(nameEnd + 1, 1 + size));
    }
    rest = rest.subarray(1 + size);
  }
  return command;
}

function documentsIn(bytes: Buffer): Document[] {
  const documents: Document[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
    documents.push(BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))));
  }
  return documents;
}
