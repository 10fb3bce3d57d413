import { once } from 'node:events';
import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Connection, ConnectionOptions } from 'mysql2/promise';
import { flagOf, hostOf, numberOf, refuseSshTunnel } from './client-data.ts';
import { deferLongValues, type RowPacket } from './my-sql-values.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** How a client parses values; omitted options have the library's defaults. */
type MySqlReading = Pick<ConnectionOptions, 'supportBigNumbers' | 'decimalNumbers' | 'timezone' | 'multipleStatements'>;

/**
 * A connected MySQL or MariaDB client, from a credential of type `mySql`; the caller ends it. The
 * default timeout is the credential's.
 */
export async function openMySql(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  { timeoutMs = numberOf(data, 'connectTimeout', loginTimeoutMs), ...reading }: MySqlReading & { timeoutMs?: number } = {},
): Promise<Connection> {
  refuseSshTunnel(data);
  const { default: mysql } = await import('mysql2');
  const host = hostOf(data, 'localhost');
  const port = numberOf(data, 'port', 3306);
  const socket = await openSocket(ports, host, port, { signal }, timeoutMs);
  try {
    const connection = mysql.createConnection({
      host,
      port,
      ...(optionalCredentialText(data, 'database') !== '' && { database: optionalCredentialText(data, 'database') }),
      user: optionalCredentialText(data, 'user', 'root'),
      password: optionalCredentialText(data, 'password'),
      ...(flagOf(data, 'ssl') && { ssl: tlsOf(data) }),
      connectTimeout: timeoutMs,
      ...reading,
      stream: socket,
      // Parses rows without code generated from the server's column names.
      disableEval: true,
      // Stops the server from requesting local files.
      flags: ['-LOCAL_FILES'],
    });
    // Never removed: errors may follow the error that ends the login. The next query reports the
    // error of an idle connection.
    connection.on('error', () => {});
    checkPackets(connection as unknown as PacketReader);
    await once(connection, 'connect');
    return connection.promise();
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Members of a connection that the library's types lack. */
interface PacketReader {
  sequenceId: number;
  /**
   * The command in progress. `_fieldCount` is 0 until the server has sent the names of its result
   * columns.
   */
  _command?: { _fieldCount?: number | null } | undefined;
  handlePacket(packet?: RowPacket & { sequenceId: number }): void;
}

/** Maximum number of columns in a result, as in MySQL itself. */
const maxColumns = 4096;

/**
 * Maximum number of bytes in a packet that is not a row: a longer packet could contain millions of
 * entries, which the library reads at once.
 */
const maxControlBytes = 64 * 1024;

/**
 * Refuses packets that the library cannot read quickly. Accepts any sequence number: the library
 * does too, but it prints a line for each wrong number.
 */
function checkPackets(connection: PacketReader): void {
  const { handlePacket } = connection;
  connection.handlePacket = (packet) => {
    if (packet) {
      const isRow = (connection._command?._fieldCount ?? 0) > 0;
      if (!isRow && packet.length() > maxControlBytes) throw new Error('a server packet is too long');
      if (isRow) deferLongValues(packet);
      connection.sequenceId = packet.sequenceId;
    }
    handlePacket.call(connection, packet);
    if ((connection._command?._fieldCount ?? 0) > maxColumns) throw new Error('a server result has too many columns');
  };
}

function tlsOf(data: JsonObject) {
  const [ca, cert, key] = ['caCertificate', 'clientCertificate', 'clientPrivateKey'].map((field) =>
    optionalCredentialText(data, field),
  );
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}
