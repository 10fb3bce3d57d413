/**
 * The import rules of docs/reference/packages.md, for dependency-cruiser. Tests are exempt.
 * tools/restricted-code.ts checks code that is not an import.
 */

const services =
  'binary-store config credentials db domain engine http-client logger node-packages node-sdk nodes-ai nodes-base nodes-services queue sandbox schedule telemetry vault watchdog';

/** Package or app → packages and apps that it may import. */
export const mayImport = {
  domain: '',
  config: '',
  'binary-store': 'domain',
  logger: '',
  db: 'domain logger',
  queue: 'domain logger',
  telemetry: 'domain',
  vault: 'domain',
  credentials: 'domain node-sdk vault',
  watchdog: 'db logger',
  expressions: 'domain',
  sandbox: 'domain expressions',
  schedule: 'domain',
  'http-client': 'domain node-sdk',
  'node-sdk': 'domain expressions',
  'n8n-compat': 'domain node-sdk',
  'node-packages': 'domain n8n-compat node-sdk nodes-base',
  'nodes-base': 'http-client node-sdk',
  'nodes-ai': 'node-sdk nodes-base',
  'nodes-services': 'node-sdk nodes-base',
  engine: 'domain expressions node-sdk sandbox',
  contract: 'domain',
  embedded: 'config logger',
  'api-client': '',
  dashboard: 'api-client node-sdk', // only the module `display` of the SDK
  api: `contract ${services}`,
  worker: `contract ${services}`,
  cli: 'api api-client config contract db domain embedded logger node-packages node-sdk nodes-ai nodes-base nodes-services queue vault worker',
};

/** Module → prefixes of the paths that may import it. */
const restricted = {
  '^(child_process|cluster)$': [
    'apps/cli/',
    'apps/worker/src/commands/',
    'packages/embedded/',
    'packages/node-packages/src/trial/',
    'packages/sandbox/src/python/process.ts',
  ],
  '^worker_threads$': [
    'packages/sandbox/',
    'packages/nodes-base/src/threads/',
    'packages/node-packages/src/trial/',
    'packages/watchdog/',
  ],
  '^vm$': ['packages/sandbox/src/python/child.ts', 'packages/sandbox/src/threads/collect-garbage.ts'],
  '^https?$|^http2$|(^|/)undici(/|$)': [
    'packages/http-client/',
    'apps/api/',
    'apps/cli/src/up/ready.ts', // requests to its own processes
    'apps/worker/src/health-server.ts',
    'packages/nodes-base/src/clients/http-bridge.ts', // its own server
  ],
};

const anyOf = (names) => `(${names.join('|')})`;

const rules = [
  ...Object.entries(mayImport).map(([name, others]) => ({
    name: `imports-of-${name}`,
    from: { path: `^(packages|apps)/${name}/` },
    to: { path: '^(packages|apps)/', pathNot: `^(packages|apps)/${anyOf([name, ...others.split(' ')])}/` },
  })),
  ...Object.entries(restricted).map(([module, paths]) => ({
    name: 'restricted-module',
    from: { pathNot: `^${anyOf(paths)}` },
    to: { path: module },
  })),
  {
    name: 'by-name-only',
    comment: 'Packages import the exports of other packages by name, not their files.',
    from: { path: '^((packages|apps)/[^/]+)/' },
    to: { dependencyTypes: ['local'], pathNot: '^$1/' },
  },
  {
    name: 'http-client-in-nodes-base',
    comment: 'Nodes get connections through ports. Only the thread that tests credentials opens connections itself.',
    from: { path: '^packages/nodes-base/', pathNot: '^packages/nodes-base/src/credentials/credential-task[.]ts$' },
    to: { path: '^packages/http-client/' },
  },
  { name: 'not-found', from: {}, to: { couldNotResolve: true } },
  {
    name: 'folder-cycle',
    comment: 'docs/decisions/0032-folder-imports.md',
    scope: 'folder',
    from: { path: '^(packages|apps)/[^/]+/src/.' },
    to: { circular: true },
  },
  {
    name: 'folder-imports-parent',
    comment: 'A folder may import its subfolders, not its parent. `src/shared` is the exception: its subfolders import it.',
    from: { path: '^(.+/src/.+)/[^/]+/[^/]+$' },
    to: { path: '^$1/[^/]+$', pathNot: '/src/shared/[^/]+$' },
  },
  {
    name: 'command-loads-late',
    comment: 'The CLI starts fast because the code of a command is loaded only when the command runs.',
    from: { path: '^apps/cli/src/commands/' },
    to: {
      path: '^(apps/cli/src/|packages/)',
      pathNot: '^apps/cli/src/(commands/|completion/|entries[.]ts|exit-codes[.]ts|terminal[.]ts)',
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'mcp-loads-late',
    comment: 'Few processes have MCP clients, so the code of the MCP server is loaded with the first message.',
    from: { path: '^apps/(?!api/src/mcp/)|^apps/api/src/mcp/mcp-router[.]ts$', pathNot: '[.]test[.]ts$' },
    to: {
      path: '^apps/api/src/mcp/',
      pathNot: '^apps/api/src/mcp/mcp-router[.]ts$',
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  { name: 'shared-imports-child', from: { path: '^(packages/[^/]+/src/shared)/[^/]+$' }, to: { path: '^$1/.+/' } },
];

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    exclude: { path: ['[.]test[.]ts$', '^(packages|apps)/[^/]+/(tests|dist)/', '/testing/', '^packages/test-support/'] },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['source', 'node', 'import', 'default'] },
  },
};
