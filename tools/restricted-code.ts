/** Code that only some folders may contain. For imports, see tools/boundaries/rules.mjs. */

interface Restriction {
  noun: string;
  /** Matches a use in source code without comments. */
  pattern: RegExp;
  /** Path prefix where it is restricted; default: everywhere. */
  restrictedIn?: string;
  /** Path prefixes where it is allowed, in addition to tests and tools. */
  allowedIn: readonly string[];
}

interface SourceFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  text: string;
}

const exempt = /^(?:bench|tools|tests|packages\/test-support)\/|\.test\.ts$|\/tests\/|\/testing\//;

/** A single literal argument: no name, no `${…}`, no concatenation. */
const literal = String.raw`\s*(?:'[^'\n]*'|"[^"\n]*"|\x60[^\x60$]*\x60|\d[\d_]*)\s*[,)]`;
/**
 * Kysely functions that insert a string into a statement without escaping. `sql.lit` does escape,
 * but only by doubling quotes.
 */
const rawSql = [
  String.raw`\bsql\s*\??\.\s*(?:raw|lit|literal)\b(?!\s*(?:<[^>]*>\s*)?\(${literal})`,
  String.raw`\bCompiledQuery\s*\??\.\s*raw\b(?!\s*\(${literal})`,
  String.raw`\bsql\s*(?:\?\.\s*)?\[`, // any member, by a computed name
  String.raw`\}\s*=\s*(?:sql|CompiledQuery)\b`, // a member under another name
  String.raw`\b(?:sql|CompiledQuery)\s+as\s+\w`,
  String.raw`\b(?:RawNode|ValueNode\s*\.\s*createImmediate)\b`,
];

const restricted: readonly Restriction[] = [
  {
    noun: 'evaluation of strings as code',
    pattern: /\beval\s*\(|\bnew\s+Function\b|(?<![.\w])Function\s*\(/,
    allowedIn: ['packages/queue/src/sealed-messages.ts'], // a constant Redis script
  },
  {
    noun: 'dynamic SQL',
    pattern: new RegExp(rawSql.join('|')),
    allowedIn: ['packages/db/src/migrations/', 'packages/db/src/statements/compiled.ts'],
  },
  {
    // It throws for an object with its own `toString`, which JSON may contain.
    noun: '`String` instead of `stringOf`, `coercedText`, or `asText`',
    pattern: /(?<![\w.])String\(|\b(?:map|flatMap)\(String\)/,
    restrictedIn: 'packages/nodes-',
    allowedIn: [],
  },
  {
    noun: 'fetch',
    pattern: /(?<![.\w#])fetch\s*\(/,
    // The script of the chat page runs in the browser.
    allowedIn: [
      'packages/http-client/',
      'apps/cli/src/up/ready.ts',
      'apps/dashboard/src/data/',
      'apps/api/src/pages/chat-script.ts',
    ],
  },
  {
    noun: 'an unchecked address of a sender',
    pattern: /\b(?:request|req)\s*\.\s*ips?\b/,
    allowedIn: [], // `senderAddress` checks it
  },
];

/** Returns all violations as `path: problem`. */
export function findRestrictedCode(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !exempt.test(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      return restricted
        .filter(({ pattern, restrictedIn = '', allowedIn }) => {
          const isRestricted = path.startsWith(restrictedIn) && !allowedIn.some((start) => path.startsWith(start));
          return isRestricted && pattern.test(code);
        })
        .map(({ noun }) => `${path}: uses ${noun}, which is not allowed here`);
    });
}

/** Removes comments; keeps a `//` inside a string. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/(^|\s)\/\/.*$/gm, '$1');
}
