/**
 * Path → text of the files of a new package. Plain JavaScript, so that it runs without a build and
 * without dependencies.
 */
export function packageTemplate(name: string): ReadonlyMap<string, string> {
  const credentialType = credentialTypeOf(name);
  const packageJson = {
    name,
    version: '0.1.0',
    description: 'Node types for Sluice',
    license: 'UNLICENSED',
    type: 'module',
    scripts: { test: 'node --test' },
    files: ['nodes', 'credentials'],
    sluice: { nodes: ['nodes/greeting.js'], credentials: ['credentials/greeter-api.js'] },
  };
  return new Map([
    ['package.json', `${JSON.stringify(packageJson, undefined, 2)}\n`],
    ['README.md', readme(name)],
    ['nodes/greeting.js', node(credentialType)],
    ['credentials/greeter-api.js', credential(credentialType)],
    ['test/greeting.test.js', nodeTest(credentialType)],
  ]);
}

/** All packages share one namespace of credential types, so the name contains the package's own. */
function credentialTypeOf(name: string): string {
  const [first = '', ...more] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const words = [first, ...more.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return `${/^[0-9]/.test(words) ? 'package' : ''}${words}Api`;
}

function readme(name: string): string {
  return `# ${name}

Node types for Sluice. \`package.json\` names the files of nodes and credentials under \`sluice\`; each has its type as the default export.

- \`npm test\` runs the tests.
- \`sluice nodes check .\` lists what the service would reject.
- Copied or installed into the folder that \`SLUICE_NODES_DIR\` names, it is loaded at the next start; the type of its node is \`${name}.greeting\`.
`;
}

const node = (credentialType: string) => `/** Asks a service for the greeting of each item. */
export default {
  description: {
    displayName: 'Greeting',
    name: 'greeting',
    icon: 'fa:comment',
    group: ['transform'],
    version: 1,
    description: 'Asks a service for a greeting',
    defaults: { name: 'Greeting' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: '${credentialType}', required: true }],
    properties: [
      {
        displayName: 'Address',
        name: 'url',
        type: 'string',
        default: 'https://greeter.example/greetings',
        required: true,
        description: 'Where the service is',
      },
      { displayName: 'Name', name: 'name', type: 'string', default: '', description: 'Who is to be greeted' },
    ],
  },

  /** Gives one array of items for each output. Items that came in are not to be changed. */
  async execute(context) {
    const items = [];
    for (const index of context.items().keys()) {
      const url = new URL(context.parameter('url', index));
      url.searchParams.set('name', context.parameter('name', index, ''));
      const authentication = await context.authentication('${credentialType}', index);
      const response = await context.http.request({ method: 'GET', url: url.href, authentication }, context.signal);
      if (response.status !== 200) throw new Error(\`the service returned \${response.status}\`);
      items.push({ json: JSON.parse(Buffer.from(response.body).toString()), pairedItem: index });
    }
    return [items];
  },
};
`;

const credential = (
  credentialType: string,
) => `/** A token, sent in the header of each request. \`{token}\` stands for the field of that name. */
export default {
  name: '${credentialType}',
  displayName: 'Greeter API',
  properties: [
    {
      displayName: 'Token',
      name: 'token',
      type: 'string',
      default: '',
      required: true,
      typeOptions: { password: true },
    },
  ],
  authenticate: { headers: { Authorization: 'Bearer {token}' } },
};
`;

const nodeTest = (credentialType: string) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import greeting from '../nodes/greeting.js';

/** As much of a context as the node uses; \`respond\` stands for the service. */
function contextOf(items, parameters, respond) {
  return {
    items: () => items,
    parameter: (path, index, fallback) => parameters[index]?.[path] ?? fallback,
    authentication: async (type) => ({ type }),
    http: { request: async (request) => respond(request) },
    signal: new AbortController().signal,
  };
}

const responseOf = (status, json) => ({ status, headers: {}, body: Buffer.from(JSON.stringify(json)) });

test('each item becomes the greeting of its name', async () => {
  const requests = [];
  const parameters = [{ url: 'https://a.test/', name: 'Ada' }, { url: 'https://a.test/', name: 'Bob' }];
  const context = contextOf([{ json: {} }, { json: {} }], parameters, (request) => {
    requests.push(request);
    return responseOf(200, { text: \`Hello \${new URL(request.url).searchParams.get('name')}\` });
  });
  const [items] = await greeting.execute(context);
  assert.deepEqual(items, [
    { json: { text: 'Hello Ada' }, pairedItem: 0 },
    { json: { text: 'Hello Bob' }, pairedItem: 1 },
  ]);
  assert.deepEqual(requests.map(({ authentication }) => authentication.type), ['${credentialType}', '${credentialType}']);
});

test('a service that refuses is an error', async () => {
  const context = contextOf([{ json: {} }], [{ url: 'https://a.test/' }], () => responseOf(503, {}));
  await assert.rejects(greeting.execute(context), /the service returned 503/);
});
`;
