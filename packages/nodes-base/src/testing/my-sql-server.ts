// Shows the exact statements and their separate values, unlike MariaDB (tests/services).
import type { Server, Socket } from 'node:net';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import mysql, { type Connection } from 'mysql2';

type Cell = string | number | null;

/**
 * Reply to a statement: rows (with the protocol's type numbers if strings are not sufficient), a
 * change count, an error, or no reply at all.
 */
export type MySqlResult =
  | { columns: string[]; rows: Cell[][]; types?: number[] }
  | { affectedRows: number; insertId?: number }
  | { error: string; code?: number }
  | 'silence';

/** A received statement; `values` only if they were sent separately. */
export interface ReceivedStatement {
  sql: string;
  values?: unknown[];
}

export interface MySqlServer extends LoopbackServer {
  received: ReceivedStatement[];
}

/**
 * A server that accepts `ann` and replies to each statement as the test defines, in MySQL's wire
 * protocol.
 */
export async function mySqlServer(answer: (statement: ReceivedStatement) => MySqlResult): Promise<MySqlServer> {
  const received: ReceivedStatement[] = [];
  const server = mysql.createServer((connection) => {
    const wire = connection as Connection & { stream: Socket };
    let prepared = '';
    // The library leaves it to the server to reset the sequence number for each command.
    const write = (bytes: Buffer) =>
      setImmediate(() => {
        Object.assign(wire, { sequenceId: 0 });
        wire.stream.write(bytes);
      });
    const reply = (statement: ReceivedStatement) => {
      received.push(statement);
      const result = answer(statement);
      if (result !== 'silence') write(frames(result, statement.values !== undefined));
    };
    wire.on('error', () => {});
    handshake(wire);
    const on = wire.on.bind(wire) as unknown as (event: string, listener: (...args: never[]) => void) => void;
    on('query', (sql: string) => reply({ sql }));
    on('stmt_prepare', (sql: string) => {
      prepared = sql;
      write(preparedFrames(sql.split('?').length - 1));
    });
    on('stmt_execute', (_id: number, _flags: number, _count: number, values: unknown[]) => reply({ sql: prepared, values }));
  });
  return { ...(await listening((server as never as { _server: Server })._server)), received };
}

function handshake(connection: Connection): void {
  const server = connection as Connection & { serverHandshake(options: object): void };
  server.serverHandshake({
    protocolVersion: 10,
    serverVersion: '8.0.0',
    connectionId: 7,
    statusFlags: 2,
    characterSet: 45,
    capabilityFlags: 0xff_ff_ff ^ 0x8_00,
    authCallback: ({ user }: { user: string }, callback: (...answer: unknown[]) => void) => {
      setImmediate(() => Object.assign(connection, { sequenceId: 0 }));
      callback(null, user === 'ann' ? undefined : { message: `Access denied for user '${user}'`, code: 1045 });
    },
  });
}

function frames(answer: Exclude<MySqlResult, 'silence'>, isBinary: boolean): Buffer {
  if ('error' in answer) return numbered([errorPacket(answer.error, answer.code ?? 1064)]);
  if ('affectedRows' in answer) return numbered([okPacket(answer.affectedRows, answer.insertId ?? 0)]);
  const isNumber = answer.columns.map((_, index) => answer.rows.some((row) => typeof row[index] === 'number'));
  return numbered([
    Buffer.of(answer.columns.length),
    ...answer.columns.map((name, index) =>
      columnPacket(name, answer.types?.[index] ?? (isNumber[index] ? bigInteger : varString)),
    ),
    endPacket,
    ...answer.rows.map((row) => (isBinary ? binaryRow(row) : textRow(row))),
    endPacket,
  ]);
}

const varString = 253;
const bigInteger = 8;
const endPacket = Buffer.of(0xfe, 0, 0, 2, 0);

/** Packets with length and sequence number; the reply to a command starts at 1. */
function numbered(packets: readonly Buffer[]): Buffer {
  return Buffer.concat(
    packets.flatMap((packet, index) => {
      const head = Buffer.alloc(4);
      head.writeUIntLE(packet.length, 0, 3);
      head[3] = (index + 1) % 256;
      return [head, packet];
    }),
  );
}

function okPacket(affectedRows: number, insertId: number): Buffer {
  return Buffer.of(0, affectedRows, insertId, 2, 0, 0, 0);
}

function errorPacket(message: string, code: number): Buffer {
  return Buffer.concat([Buffer.of(0xff, code % 256, code >> 8), Buffer.from(`#42000${message}`)]);
}

function preparedFrames(parameters: number): Buffer {
  const head = Buffer.of(0, 1, 0, 0, 0, 0, 0, parameters, 0, 0, 0, 0);
  const definitions = Array.from({ length: parameters }, () => columnPacket('?', varString));
  return numbered([head, ...definitions, ...(parameters > 0 ? [endPacket] : [])]);
}

function columnPacket(name: string, type: number): Buffer {
  const texts = ['def', '', '', '', name, name].map(lengthCoded);
  return Buffer.concat([...texts, Buffer.of(0x0c, 45, 0, 255, 255, 0, 0, type, 0, 0, 0, 0, 0)]);
}

function lengthCoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head =
    bytes.length < 251 ? Buffer.of(bytes.length) : Buffer.of(0xfd, bytes.length, bytes.length >> 8, bytes.length >> 16);
  return Buffer.concat([head, bytes]);
}

function textRow(row: readonly Cell[]): Buffer {
  return Buffer.concat(row.map((cell) => (cell === null ? Buffer.of(0xfb) : lengthCoded(String(cell)))));
}

function binaryRow(row: readonly Cell[]): Buffer {
  const nulls = Buffer.alloc((row.length + 9) >> 3);
  const cells = row.map((cell, index) => {
    if (typeof cell === 'string') return lengthCoded(cell);
    if (cell === null) nulls[(index + 2) >> 3] = (nulls[(index + 2) >> 3] ?? 0) | (1 << ((index + 2) & 7));
    const number = Buffer.alloc(cell === null ? 0 : 8);
    if (cell !== null) number.writeBigInt64LE(BigInt(cell));
    return number;
  });
  return Buffer.concat([Buffer.of(0), nulls, ...cells]);
}
