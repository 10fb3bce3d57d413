/**
 * The import rules of the repository (docs/reference/packages.md): which packages may import which,
 * and modules restricted to some directories.
 */
export interface BoundaryRules {
  /** Package or app → packages of this repository that it may import. `*`: any. */
  arrows: Readonly<Record<string, readonly string[] | '*'>>;
  restricted: readonly Restriction[];
}

/** A feature that only some directories may use. */
export interface Restriction {
  what: string;
  /** Finds a use in source text with blanked comments. */
  pattern: RegExp;
  /** Path prefixes where it is allowed, besides tests and tools. */
  allowedIn: readonly string[];
}

const forDevelopers = ['bench/', 'tools/', 'tests/', 'packages/test-support/'];
const testFile = /(\.test\.ts$|\/tests\/|\/testing\/)/;

const importOf = (names: string) => new RegExp(`(?:from|import)\\s*\\(?\\s*['"](?:${names})['"]`);

/** A single literal argument: no name, no `${…}`, no concatenation. */
const literal = String.raw`\s*(?:'[^'\n]*'|"[^"\n]*"|\x60[^\x60$]*\x60|\d[\d_]*)\s*[,)]`;
/**
 * Functions of Kysely that insert text into a statement unescaped; `sql.lit` escapes, but only by
 * doubling quotes.
 */
const rawSql = [
  String.raw`\bsql\s*\??\.\s*(?:raw|lit|literal)\b(?!\s*(?:<[^>]*>\s*)?\(${literal})`,
  String.raw`\bCompiledQuery\s*\??\.\s*raw\b(?!\s*\(${literal})`,
  String.raw`\bsql\s*(?:\?\.\s*)?\[`, // any member, by a computed name
  String.raw`\}\s*=\s*(?:sql|CompiledQuery)\b`, // a member under another name
  String.raw`\b(?:sql|CompiledQuery)\s+as\s+\w`,
  String.raw`\b(?:RawNode|ValueNode\s*\.\s*createImmediate)\b`,
];

export const rules: BoundaryRules = {
  arrows: {
    domain: [],
    config: [],
    'binary-store': ['domain'],
    logger: [],
    db: ['domain', 'logger'],
    queue: ['domain', 'logger'],
    vault: ['domain'],
    credentials: ['domain', 'node-sdk', 'vault'],
    watchdog: ['db', 'logger'],
    expressions: ['domain'],
    sandbox: ['domain', 'expressions'],
    schedule: ['domain'],
    'http-client': ['domain', 'node-sdk'],
    'node-sdk': ['domain', 'expressions'],
    'n8n-compat': ['domain', 'node-sdk'],
    'node-packages': ['domain', 'n8n-compat', 'node-sdk', 'nodes-base'],
    'nodes-base': ['node-sdk'],
    engine: ['domain', 'expressions', 'node-sdk', 'sandbox'],
    contract: ['domain'],
    embedded: ['config', 'logger'],
    'api-client': [],
    'test-support': '*',
    api: [
      'binary-store',
      'config',
      'contract',
      'credentials',
      'db',
      'domain',
      'engine',
      'http-client',
      'logger',
      'node-packages',
      'node-sdk',
      'nodes-base',
      'queue',
      'sandbox',
      'schedule',
      'vault',
      'watchdog',
    ],
    worker: [
      'binary-store',
      'config',
      'credentials',
      'db',
      'domain',
      'engine',
      'http-client',
      'logger',
      'node-packages',
      'node-sdk',
      'nodes-base',
      'queue',
      'sandbox',
      'schedule',
      'vault',
      'watchdog',
    ],
    cli: [
      'api',
      'config',
      'contract',
      'db',
      'domain',
      'embedded',
      'logger',
      'node-packages',
      'node-sdk',
      'nodes-base',
      'queue',
      'vault',
      'worker',
    ],
  },
  restricted: [
    {
      what: 'child processes',
      pattern: importOf('(?:node:)?(?:child_process|cluster)'),
      allowedIn: [
        'apps/cli/',
        'apps/worker/src/commands/',
        'packages/embedded/',
        'packages/node-packages/src/trial/',
        'packages/sandbox/src/python/process.ts',
      ],
    },
    {
      what: 'worker threads',
      pattern: importOf('(?:node:)?worker_threads'),
      allowedIn: [
        'packages/sandbox/',
        'packages/nodes-base/src/threads/',
        'packages/node-packages/src/trial/',
        'packages/watchdog/',
      ],
    },
    { what: 'evaluation of text as code', pattern: /\beval\s*\(|\bnew\s+Function\b|(?<![.\w])Function\s*\(/, allowedIn: [] },
    {
      what: 'SQL that is not written out',
      pattern: new RegExp(rawSql.join('|')),
      allowedIn: ['packages/db/src/migrations/', 'packages/db/src/compiled.ts'],
    },
    { what: 'node:vm', pattern: importOf('(?:node:)?vm'), allowedIn: ['packages/sandbox/src/python/child.ts'] },
    {
      what: 'HTTP modules',
      pattern: importOf('undici|(?:node:)?https?2?'),
      allowedIn: [
        'packages/http-client/',
        'apps/api/',
        'apps/worker/src/health-server.ts',
        'packages/nodes-base/src/clients/http-bridge.ts', // its own server
      ],
    },
    {
      what: 'fetch',
      pattern: /(?<![.\w#])fetch\s*\(/,
      allowedIn: ['packages/http-client/', 'apps/cli/src/up/ready.ts'],
    },
  ],
};

export interface SourceFile {
  /** Relative to the root, with `/`. */
  path: string;
  text: string;
}

/** All violations, as `path: problem`. */
export function findViolations(files: readonly SourceFile[], { arrows, restricted }: BoundaryRules): string[] {
  return files.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return [...importProblems(path, code, arrows), ...restrictionProblems(path, code, restricted)].map(
      (it) => `${path}: ${it}`,
    );
  });
}

/** A cycle in the table, as a list of names; `undefined`: none. */
export function findCycle(arrows: BoundaryRules['arrows']): string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    if (done.has(name)) return undefined;
    const targets = arrows[name];
    for (const target of targets === '*' ? [] : (targets ?? [])) {
      const cycle = visit(target, [...trail, name]);
      if (cycle !== undefined) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of Object.keys(arrows)) {
    const cycle = visit(name, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/**
 * Folder → sibling folders that its files import, within each package. Files at the root of `src`
 * are exempt: they contain code shared by all folders, and code that combines them.
 */
export function folderArrows(files: readonly SourceFile[]): Record<string, string[]> {
  const arrows: Record<string, string[]> = {};
  for (const { path, text } of files) {
    const folder = folderOf(path);
    if (folder === undefined || isTest(path)) continue;
    const relative = specifiers(withoutComments(text)).filter((specifier) => specifier.startsWith('.'));
    const targets = relative.map((specifier) => folderOf(new URL(specifier, `file:///${path}`).pathname.slice(1)));
    const others = targets.filter((target) => target !== undefined && target !== folder) as string[];
    arrows[folder] = [...new Set([...(arrows[folder] ?? []), ...others])];
  }
  return arrows;
}

function folderOf(path: string): string | undefined {
  return /^((?:packages|apps)\/[^/]+\/src\/.+)\/[^/]+$/.exec(path)?.[1];
}

/** Exports of packages besides their main entry. */
const entryPoints = new Set([
  '@sluice/api/main',
  '@sluice/api/views',
  '@sluice/worker/main',
  '@sluice/db/lease-renewer',
  '@sluice/nodes-base/credentials',
  '@sluice/node-sdk/testing',
  '@sluice/http-client/testing',
  '@sluice/test-support/servers',
]);

function importProblems(path: string, code: string, arrows: BoundaryRules['arrows']): string[] {
  const owner = /^(?:packages|apps)\/([^/]+)\//.exec(path)?.[1];
  const allowed = owner === undefined || isTest(path) ? '*' : (arrows[owner] ?? []);
  return specifiers(code).flatMap((specifier) => {
    if (specifier.startsWith('.'))
      return leavesPackage(path, specifier) ? [`imports ${specifier}, a file of another package`] : [];
    const [, target, inner] = /^@sluice\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
    if (target === undefined) return [];
    if (inner !== undefined && !entryPoints.has(specifier))
      return [`imports ${specifier}: only what a package exports is imported`];
    if (allowed === '*' || target === owner || allowed.includes(target)) return [];
    return [`${owner} may not import ${target}`];
  });
}

function restrictionProblems(path: string, code: string, restricted: readonly Restriction[]): string[] {
  if (isTest(path)) return [];
  return restricted
    .filter(({ pattern, allowedIn }) => pattern.test(code) && !allowedIn.some((start) => path.startsWith(start)))
    .map(({ what }) => `uses ${what}, which is not for this place`);
}

function isTest(path: string): boolean {
  return testFile.test(path) || forDevelopers.some((start) => path.startsWith(start));
}

function specifiers(code: string): string[] {
  const found = code.matchAll(/(?:^|[^.\w])(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g);
  return [...found].map(([, specifier]) => specifier as string);
}

function leavesPackage(path: string, specifier: string): boolean {
  const home = /^((?:packages|apps)\/[^/]+\/)/.exec(path)?.[1];
  return home !== undefined && !new URL(specifier, `file:///${path}`).pathname.startsWith(`/${home}`);
}

/** Removes whole comments only; a `//` inside a string is kept. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/(^|\s)\/\/.*$/gm, '$1');
}
