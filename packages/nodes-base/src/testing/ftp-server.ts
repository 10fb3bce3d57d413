import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Replies to commands; all others succeed. */
const replies: Readonly<Record<string, string>> = {
  USER: '331 password',
  PASS: '230 hello',
  FEAT: '211 none',
  QUIT: '221 bye',
};

/** An FTP server that responds to each listing with text. The caller closes it. */
export async function ftpServer(listing: string): Promise<{ port: number; close(): Promise<void> }> {
  const data = createServer((socket) => socket.on('error', () => {}).end(listing));
  const control = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 hello\r\n');
    socket.on('data', (bytes) => {
      const command = bytes.toString().trim().split(' ')[0] as string;
      if (command === 'EPSV') socket.write(`229 passive (|||${portOf(data)}|)\r\n`);
      else if (command === 'LIST' || command === 'MLSD') socket.write('150 listing follows\r\n226 done\r\n');
      else socket.write(`${replies[command] ?? '200 done'}\r\n`);
    });
  });
  const servers = [data, control];
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: portOf(control),
    close: async () => {
      for (const server of servers) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: ReturnType<typeof createServer>): number {
  return (server.address() as AddressInfo).port;
}
