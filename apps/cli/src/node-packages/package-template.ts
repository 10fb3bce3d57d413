/** Files of a new package: path → content. In plain JavaScript, without a build or dependencies. */
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

/** Credential types of all packages share one namespace: the name starts with the package. */
function credentialTypeOf(name: string): string {
  const [first = '', ...more] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const words = [first, ...more.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return `${/^[0-9]/.test(words) ? 'package' : ''}${words}Api`;
}

function readme(name: string): string {
  return `# ${name}

Node types for Sluice. \`package.json\` lists the files of nodes and credentials under \`sluice\`; the default export of each file is its type.

- \`npm test\` runs the tests.
- \`sluice nodes check .\` lists problems that the service would reject.
- To use the package, copy or install it into the folder \`SLUICE_NODES_DIR\` and restart Sluice. The type of its node is \`${name}.greeting\`.
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
        description: 'URL of the service',
      },
      { displayName: 'Name', name: 'name', type: 'string', default: '', description: 'Name of the person to greet' },
    ],
  },

  /** Returns one array of items per output. Must not change the input items. */
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
) => `/** A token for the header of each request. \`{token}\` is replaced with the value of that field. */
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

/** The part of a context that the node uses; \`respond\` replaces the service. */
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

test('returns a greeting for the name of each item', async () => {
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

test('an error response of the service is an error', async () => {
  const context = contextOf([{ json: {} }], [{ url: 'https://a.test/' }], () => responseOf(503, {}));
  await assert.rejects(greeting.execute(context), /the service returned 503/);
});
`;
