const identifierPattern = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?![\w$.])/y;
/** Quoted text without escapes: strings that need unescaping are left to the guest. */
const stringPattern = /"([^"\\\n\r]*)"|'([^'\\\n\r]*)'|`([^`\\$\r]*)`/y;
const spacePattern = /\s*/y;
/** Operators between two operands, but for those that assign, count, or look like the beginning of a comment. */
const binaryPattern =
  /\?\?(?!=)|\|\|(?!=)|&&(?!=)|[!=]==?(?!=)|[<>]=?(?![<>=])|-(?![-=])|\+(?![+=])|\*(?![*=])|\/(?![/*=])|%(?!=)/y;
const unaryPattern = /!|-(?!-)|\+(?!\+)/y;

/** A cursor over the source of an expression. Each read skips leading white space and moves only when it succeeds. */
export class SourceReader {
  position = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  atEnd(): boolean {
    this.#match(spacePattern);
    return this.position === this.#source.length;
  }

  peek(token: string): boolean {
    this.#match(spacePattern);
    return this.#source.startsWith(token, this.position);
  }

  eat(token: string): boolean {
    if (!this.peek(token)) return false;
    this.position += token.length;
    return true;
  }

  identifier(): string | undefined {
    this.#match(spacePattern);
    return this.#match(identifierPattern)?.[0];
  }

  peekIdentifier(): string | undefined {
    const start = this.position;
    const name = this.identifier();
    this.position = start;
    return name;
  }

  number(): number | undefined {
    this.#match(spacePattern);
    const text = this.#match(numberPattern)?.[0];
    return text === undefined ? undefined : Number(text);
  }

  string(): string | undefined {
    this.#match(spacePattern);
    const match = this.#match(stringPattern);
    return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
  }

  binaryOperator(): string | undefined {
    this.#match(spacePattern);
    return this.#match(binaryPattern)?.[0];
  }

  unaryOperator(): string | undefined {
    this.#match(spacePattern);
    return this.#match(unaryPattern)?.[0];
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#source);
    if (!match) return undefined;
    this.position = pattern.lastIndex;
    return match;
  }
}
