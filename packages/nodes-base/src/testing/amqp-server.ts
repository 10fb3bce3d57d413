import { createServer } from 'node:net';
import rhea, { type EventContext } from 'rhea';
import { type LoopbackServer, listening } from './loopback-server.ts';

/** A message as the broker got it. */
export interface AmqpMessage {
  address: string;
  body: unknown;
  properties: unknown;
}

export interface AmqpServer extends LoopbackServer {
  messages: AmqpMessage[];
  /** What the clients that were let in call themselves. */
  clients: string[];
}

/**
 * A broker of AMQP 1.0 that lets `ann` in with a password; it rejects what goes to `full`, knows no address `missing`, and says nothing to what goes
 * to `silent`.
 */
export async function amqpServer(password: string): Promise<AmqpServer> {
  const messages: AmqpMessage[] = [];
  const clients: string[] = [];
  const container = rhea.create_container();
  container.sasl_server_mechanisms.enable_plain((user: string, given: string) => user === 'ann' && given === password);
  container.on('connection_open', ({ connection }: EventContext) => clients.push(connection.container_id));
  container.on('receiver_open', ({ receiver }: EventContext) => {
    receiver?.set_target({ address: receiver.target.address });
    if (receiver?.target.address === 'missing') {
      receiver.close({ condition: 'amqp:not-found', description: 'no such queue' });
    }
  });
  container.on('message', ({ message, delivery, receiver }: EventContext) => {
    const address = String(receiver?.target.address);
    messages.push({ address, body: message?.body, properties: message?.application_properties });
    if (address === 'full') delivery?.reject({ condition: 'amqp:resource-limit-exceeded', description: 'the queue is full' });
    else if (address !== 'silent') delivery?.accept();
  });
  for (const event of ['disconnected', 'error', 'connection_error', 'protocol_error']) container.on(event, () => {});
  const loopback = await listening(
    createServer((socket) => {
      const connection = container.create_connection({ port: 0, idle_time_out: 200, receiver_options: { autoaccept: false } });
      (connection as unknown as { accept(socket: unknown): void }).accept(socket);
    }),
  );
  return { ...loopback, messages, clients };
}
