// Shows the outcome of each message, and can refuse messages, unlike RabbitMQ (tests/services).
import { createServer } from 'node:net';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import rhea, { type EventContext, type Message, type Sender } from 'rhea';

/** A message as the broker received it. */
interface AmqpMessage {
  address: string;
  body: unknown;
  properties: unknown;
}

export interface AmqpServer extends LoopbackServer {
  messages: AmqpMessage[];
  /** Container IDs of the clients that logged in. */
  clients: string[];
  /**
   * Offers a message to receivers of an address, now or later; redelivers it if it is released or
   * left unsettled.
   */
  offer(address: string, message: Message): void;
  /** Outcomes of offered messages: `accepted`, `rejected`, `released`, and so on. */
  outcomes: string[];
  /** Sources of the receiving links. */
  sources: object[];
}

/**
 * An AMQP 1.0 broker that accepts `ann` with a password. It rejects messages to `full`, has no
 * address `missing`, does not reply to messages to `silent`, and accepts messages to `slow` one by
 * one.
 */
export async function amqpServer(password: string): Promise<AmqpServer> {
  const messages: AmqpMessage[] = [];
  const clients: string[] = [];
  const [outcomes, sources, queue] = [[] as string[], [] as object[], [] as Offered[]];
  const container = rhea.create_container();
  container.options.sender_options = { autosettle: true };
  const links = new Set<Sender>();
  const deliver = () => {
    for (const link of links) {
      for (const offered of queue) {
        if (offered.isUnderWay || offered.address !== link.source.address || !link.sendable()) continue;
        offered.isUnderWay = true;
        const { id } = link.send(offered.message);
        offered.delivery = { link, id };
      }
    }
  };
  container.on('sender_open', ({ sender }: EventContext) => {
    if (!sender) return;
    const { address, durable } = sender.source;
    sources.push({ address, durable, name: sender.name });
    if (address === 'missing') {
      sender.close({ condition: 'amqp:not-found', description: 'no such queue' });
      return;
    }
    sender.set_source({ address });
    links.add(sender);
  });
  container.on('sendable', deliver);
  for (const outcome of ['accepted', 'rejected', 'released', 'modified'] as const) {
    container.on(outcome, ({ delivery, sender }: EventContext) => {
      outcomes.push(outcome);
      const index = queue.findIndex((offered) => offered.delivery?.link === sender && offered.delivery?.id === delivery?.id);
      const offered = queue[index];
      if (outcome === 'accepted' || outcome === 'rejected') queue.splice(index, 1);
      else if (offered) offered.isUnderWay = false;
      deliver();
    });
  }
  const leave = ({ connection }: EventContext) => {
    for (const link of links) {
      if (link.connection !== connection) continue;
      links.delete(link);
      for (const offered of queue) if (offered.delivery?.link === link) offered.isUnderWay = false;
    }
  };
  for (const event of ['disconnected', 'connection_close']) container.on(event, leave);
  container.sasl_server_mechanisms.enable_plain((user: string, received: string) => user === 'ann' && received === password);
  container.on('connection_open', ({ connection }: EventContext) => clients.push(connection.container_id));
  container.on('receiver_open', ({ receiver }: EventContext) => {
    receiver?.set_target({ address: receiver.target.address });
    if (receiver?.target.address === 'slow') {
      receiver.set_credit_window(0);
      receiver.add_credit(1);
    }
    if (receiver?.target.address === 'missing') {
      receiver.close({ condition: 'amqp:not-found', description: 'no such queue' });
    }
  });
  container.on('message', ({ message, delivery, receiver }: EventContext) => {
    const address = String(receiver?.target.address);
    messages.push({ address, body: message?.body, properties: message?.application_properties });
    if (address === 'full') delivery?.reject({ condition: 'amqp:resource-limit-exceeded', description: 'the queue is full' });
    else if (address !== 'silent') delivery?.accept();
    if (address === 'slow') setTimeout(() => receiver?.add_credit(1), 5);
  });
  for (const event of ['disconnected', 'error', 'connection_error', 'protocol_error']) container.on(event, () => {});
  const loopback = await listening(
    createServer((socket) => {
      // rhea's timers stop at the end of the stream, not at the close of the socket.
      socket.once('close', () => socket.emit('end'));
      const connection = container.create_connection({ port: 0, idle_time_out: 200, receiver_options: { autoaccept: false } });
      (connection as unknown as { accept(socket: unknown): void }).accept(socket);
    }),
  );
  const offer = (address: string, message: Message) => {
    queue.push({ address, message, isUnderWay: false });
    deliver();
  };
  return { ...loopback, messages, clients, offer, outcomes, sources };
}

interface Offered {
  address: string;
  message: Message;
  isUnderWay: boolean;
  delivery?: { link: Sender; id: number };
}
