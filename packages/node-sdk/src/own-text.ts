import type { JsonObject } from '@sluice/domain';
import { NodeOperationError } from './errors.ts';
import { callMethod, constants, functions, memberOf, textOf } from './own-text-functions.ts';

/*
 * Texts that a type brings along and that a credential goes into: they are evaluated here, beside the secret, rather than where expressions of users are.
 * A small language is enough: members, texts, numbers, objects, `+`, comparisons, `&&`, `||`, `??`, `?:`, and a few functions on texts. What users write
 * never comes here.
 */

/**
 * The text with each `{{ }}` in it evaluated; a leading `=` is left out. Names and members are read by own property only. Throws `NodeOperationError` for
 * what the language does not have.
 */
export function evaluateOwnText(text: string, names: JsonObject): string {
  return partsOf(text, names).map(textOf).join('');
}

/** As `evaluateOwnText`; a text that is one `{{ }}` and nothing else gives its value, which may be an object, or `undefined`. */
export function evaluateOwnValue(text: string, names: JsonObject): unknown {
  const parts = partsOf(text, names);
  return parts.length === 1 ? parts[0] : parts.map(textOf).join('');
}

/** Texts, and values of what is evaluated. What ends a `{{` is told by reading it: `}}` may also end two objects, or stand in a text. */
function partsOf(text: string, names: JsonObject): unknown[] {
  const template = text.startsWith('=') ? text.slice(1) : text;
  const parts: unknown[] = [];
  let at = 0;
  for (let open = template.indexOf('{{'); open !== -1; open = template.indexOf('{{', at)) {
    if (template.indexOf('}}', open) === -1) break;
    if (open > at) parts.push(template.slice(at, open));
    const reader = new Reader(template, names, open + 2);
    parts.push(reader.part());
    at = reader.at;
  }
  if (at < template.length) parts.push(template.slice(at));
  return parts;
}

const token =
  /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|([A-Za-z_$][\w$]*)|(===|!==|==|!=|\?\?|\?\.|\|\||&&|[?:+!.,()[\]{}-]))/y;
const closing = /\s*\}\}/y;
const regexToken = /\s*\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([gimsu]*)/y;

interface Token {
  kind: 'number' | 'text' | 'name' | 'sign';
  value: string;
}

/** Reads and evaluates at once. Of a choice both sides are evaluated: nothing here has an effect. */
class Reader {
  readonly #source: string;
  readonly #names: JsonObject;
  #at: number;

  constructor(source: string, names: JsonObject, at = 0) {
    this.#source = source;
    this.#names = names;
    this.#at = at;
  }

  /** Where it has read to. */
  get at(): number {
    return this.#at;
  }

  /** Up to the `}}` that ends it. */
  part(): unknown {
    const value = this.#choice();
    closing.lastIndex = this.#at;
    if (!closing.test(this.#source)) throw this.#unknown();
    this.#at = closing.lastIndex;
    return value;
  }

  whole(): unknown {
    const value = this.#choice();
    if (this.#source.slice(this.#at).trim() !== '') throw this.#unknown();
    return value;
  }

  #choice(): unknown {
    const condition = this.#either();
    if (!this.#takes('?')) return condition;
    const yes = this.#choice();
    this.#expect(':');
    const no = this.#choice();
    return condition ? yes : no;
  }

  #either(): unknown {
    let value = this.#both();
    for (;;) {
      const sign = this.#takes('||', '??');
      if (sign === undefined) return value;
      const other = this.#both();
      value = sign === '||' ? value || other : (value ?? other);
    }
  }

  #both(): unknown {
    let value = this.#comparison();
    while (this.#takes('&&') !== undefined) {
      const other = this.#comparison();
      value = value && other;
    }
    return value;
  }

  #comparison(): unknown {
    const value = this.#sum();
    const sign = this.#takes('===', '!==', '==', '!=');
    if (sign === undefined) return value;
    const isSame = value === this.#sum();
    return sign.startsWith('!') ? !isSame : isSame;
  }

  #sum(): unknown {
    let value = this.#member();
    while (this.#takes('+') !== undefined) {
      const other = this.#member();
      value = typeof value === 'number' && typeof other === 'number' ? value + other : textOf(value) + textOf(other);
    }
    return value;
  }

  #member(): unknown {
    if (this.#takes('!') !== undefined) return !this.#member();
    if (this.#takes('-') !== undefined) return -Number(this.#member());
    let value = this.#primary();
    for (;;) {
      const sign = this.#takes('?.', '.', '[');
      if (sign === undefined) return value;
      if (sign === '[') value = memberOf(value, textOf(this.#upTo(']')));
      else if (sign === '?.' && this.#takes('[') !== undefined) value = memberOf(value, textOf(this.#upTo(']')));
      else value = this.#named(value);
    }
  }

  #named(value: unknown): unknown {
    const name = this.#next();
    if (name?.kind !== 'name') throw this.#unknown();
    if (this.#takes('(') === undefined) return memberOf(value, name.value);
    return callMethod(value, name.value, this.#values());
  }

  #primary(): unknown {
    const regex = this.#regex();
    if (regex) return regex;
    const next = this.#next();
    if (next?.kind === 'number') return Number(next.value);
    if (next?.kind === 'text') return this.#text(next.value);
    if (next?.kind === 'sign' && next.value === '(') return this.#upTo(')');
    if (next?.kind === 'sign' && next.value === '{') return this.#object();
    if (next?.kind !== 'name') throw this.#unknown();
    if (next.value in constants) return constants[next.value];
    if (next.value === 'Buffer') return this.#bytes();
    if (Object.hasOwn(functions, next.value) && this.#takes('(') !== undefined)
      return functions[next.value]?.(this.#values()[0]);
    if (!Object.hasOwn(this.#names, next.value)) throw this.#unknown();
    return this.#names[next.value];
  }

  /** `Buffer.from(text).toString('base64')`, the usual way to write it. */
  #bytes(): unknown {
    const isFrom = this.#takes('.') !== undefined && this.#next()?.value === 'from' && this.#takes('(') !== undefined;
    const [text] = isFrom ? this.#values() : [];
    const isToText = this.#takes('.') !== undefined && this.#next()?.value === 'toString' && this.#takes('(') !== undefined;
    if (!isToText) throw this.#unknown();
    return Buffer.from(textOf(text)).toString(textOf(this.#values()[0] ?? 'utf8') as BufferEncoding);
  }

  #object(): JsonObject {
    const members: [string, unknown][] = [];
    while (this.#takes('}') === undefined) {
      if (members.length > 0) this.#expect(',');
      const name = this.#next();
      if (name?.kind !== 'name' && name?.kind !== 'text') throw this.#unknown();
      this.#expect(':');
      members.push([name.kind === 'text' ? this.#text(name.value) : name.value, this.#choice()]);
    }
    return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as JsonObject;
  }

  #text(quoted: string): string {
    const inner = quoted.slice(1, -1).replace(/\\(.)/g, (_, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? char);
    if (!quoted.startsWith('`')) return inner;
    return inner.replace(/\$\{([^}]*)\}/g, (_, part: string) => textOf(new Reader(part, this.#names).whole()));
  }

  #values(): unknown[] {
    const values: unknown[] = [];
    if (this.#takes(')') !== undefined) return values;
    do values.push(this.#choice());
    while (this.#takes(',') !== undefined);
    this.#expect(')');
    return values;
  }

  #upTo(sign: string): unknown {
    const value = this.#choice();
    this.#expect(sign);
    return value;
  }

  #regex(): RegExp | undefined {
    regexToken.lastIndex = this.#at;
    const match = regexToken.exec(this.#source);
    if (!match) return undefined;
    this.#at = regexToken.lastIndex;
    return new RegExp(match[1] ?? '', match[2]);
  }

  #next(): Token | undefined {
    token.lastIndex = this.#at;
    const match = token.exec(this.#source);
    if (!match) return undefined;
    this.#at = token.lastIndex;
    const [, number, text, name, sign] = match;
    if (number !== undefined) return { kind: 'number', value: number };
    if (text !== undefined) return { kind: 'text', value: text };
    return name === undefined ? { kind: 'sign', value: sign ?? '' } : { kind: 'name', value: name };
  }

  #takes(...signs: string[]): string | undefined {
    const before = this.#at;
    const next = this.#next();
    if (next?.kind === 'sign' && signs.includes(next.value)) return next.value;
    this.#at = before;
    return undefined;
  }

  #expect(sign: string): void {
    if (this.#takes(sign) === undefined) throw this.#unknown();
  }

  /** The message holds no value, only what the type itself has written. */
  #unknown(): NodeOperationError {
    return new NodeOperationError(`this cannot be worked out of a credential: ${this.#source}`, {}, 'NOT_SUPPORTED');
  }
}
