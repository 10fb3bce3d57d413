import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { cpus } from 'node:os';
import { endChild, track } from './children.ts';
import { Fleet } from './fleet.ts';
import { rssMb } from './processes.ts';
import { startStack } from './stack.ts';
import { median, percentile, round } from './statistics.ts';

/*
 * The cost of agents, on one API process and one worker process, all data saved:
 *
 *   streams  resident memory of the worker while 200 agents stream the answers of their models
 *   turn     milliseconds that one more turn of an agent takes, with the call of a tool, compared with a bare
 *            call to the same loopback model; the cases take turns
 *
 * `--quick` for a trial.
 */
const quick = process.argv.includes('--quick');
const requests = quick ? 30 : 300;
const streams = quick ? 50 : 200;
/** Turns of the longer agent; the default maximum of iterations is 10. */
const turns = 9;

const stack = await startStack();
const model = track(fork(new URL('./model-server.ts', import.meta.url)));
const [modelPort] = (await once(model, 'message')) as [number];
const fleet = await Fleet.start(stack, { workers: 1, collectsGarbage: true, env: { SSRF_ALLOW: '127.0.0.1' } });
try {
  const data = { apiKey: 'k', url: `http://127.0.0.1:${modelPort}/v1` };
  const credential = await fleet.call<object>('POST', '/api/v1/credentials', { name: 'model', type: 'openAiApi', data });
  for (const [name, responseMode] of [
    ['1', 'lastNode'],
    [String(turns), 'lastNode'],
    ['slow', 'streaming'],
  ] as const)
    await fleet.activate({ name, settings: {}, ...anAgent(name, responseMode, credential) });
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  const report = { machine, streams: await measureStreams(), turn: await measureTurn() };
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
} finally {
  await Promise.all([endChild(model), fleet.stop()]);
  await stack.stop();
}
process.exit(0);

function anAgent(name: string, responseMode: string, credential: object): object {
  const nodes = [
    { name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters: { path: name, httpMethod: 'POST', responseMode } },
    { name: 'Agent', type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: 'hello' } },
    {
      name: 'Model',
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: name },
      credentials: { openAiApi: credential },
    },
    { name: 'Think', type: 'ai.tool-think', typeVersion: 1, parameters: {} },
  ];
  const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
  const connections = { Webhook: to('main'), Model: to('ai_languageModel'), Think: to('ai_tool') };
  return { nodes: nodes.map((node, i) => ({ ...node, position: [i * 200, 0] })), connections };
}

async function measureTurn(): Promise<object> {
  const agent = new Agent({ keepAlive: true });
  const message = { model: '1', messages: [{ role: 'user', content: 'hello' }] };
  const cases = {
    bare: () => post(modelPort, '/v1/chat/completions', message, agent),
    one: () => post(fleet.port, '/webhook/1', {}, agent),
    many: () => post(fleet.port, `/webhook/${turns}`, {}, agent),
  };
  const times = { bare: [] as number[], one: [] as number[], many: [] as number[] };
  for (let i = -10; i < requests; i += 1)
    for (const [name, run] of Object.entries(cases) as [keyof typeof cases, () => Promise<string>][]) {
      const beganAt = performance.now();
      await run();
      if (i >= 0) times[name].push(performance.now() - beganAt); // the first ones warm up
    }
  agent.destroy();
  const [bare, one, many] = [median(times.bare), median(times.one), median(times.many)];
  const each = (many - one) / (turns - 1);
  return {
    bareMs: round(bare),
    oneTurnMs: round(one),
    [`${turns}TurnsMs`]: round(many),
    perTurnMs: round(each),
    addedPerTurnMs: round(each - bare),
    p99Ms: { one: round(percentile(times.one, 0.99)), many: round(percentile(times.many, 0.99)) },
  };
}

async function measureStreams(): Promise<object> {
  const worker = fleet.workers[0]?.pid ?? 0;
  const before = rssMb(worker);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, rssMb(worker));
  }, 100);
  const bodies = await Promise.all(Array.from({ length: streams }, () => post(fleet.port, '/webhook/slow', {})));
  clearInterval(timer);
  const complete = bodies.filter((body) => body.split('long answer').length === 21).length;
  if (complete < streams) throw new Error(`only ${complete} of ${streams} streams are complete: ${bodies[0]}`);
  model.send('report');
  const [atOnce] = (await once(model, 'message')) as [number];
  return { streams, atOnce, workerRssMb: { before: round(before, 0), peak: round(peak, 0) } };
}

/** Resolves to the body. Throws for any status but 200. */
function post(port: number, path: string, body: object, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = send({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`returned ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}
