import { errorMessage, parseExactJson } from '@sluice/domain';

/**
 * The JSON of a file or of standard input, with or without a byte order mark. `name` begins the
 * message of an error. The parser's message is replaced: it quotes a part of the input, which may
 * be a secret.
 */
export function parseInput(text: string, name: string): unknown {
  try {
    return parseExactJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const isRange = / out of range$/.test(errorMessage(error));
    throw new Error(`${name} ${isRange ? 'has a number that is out of range' : 'is not valid JSON'}`);
  }
}
