import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { redactedText } from './redaction.ts';
import { SecretScrubber } from './secret-scrubber.ts';

function scrubberOf(...secrets: string[]): SecretScrubber {
  const scrubber = new SecretScrubber();
  scrubber.add(secrets);
  return scrubber;
}

const secret = 'p+a/s s"w\\örd\n!';

/** The text of JSON that contains the value. */
const inJson = (value: unknown) => JSON.stringify({ p: value });
const inAscii = (json: string) => json.replaceAll('ö', '\\u00f6');
const withSlashes = (json: string) => json.replaceAll('/', '\\/');

describe('SecretScrubber', () => {
  test.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['form-encoded', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['URL-encoded in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['URL-encoded with all marks', encodeURIComponent(secret).replaceAll('!', '%21')],
    ['encoded by URLSearchParams', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['encoded by encodeURI', encodeURI(secret)],
    ['as the password of a URL', Object.assign(new URL('http://host'), { password: secret }).password],
    ['in the query of a URL', Object.assign(new URL('http://host'), { search: secret }).search.slice(1)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in capital hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ])('removes a secret %s from text and from JSON', (_, form) => {
    const scrubber = scrubberOf(secret);
    for (const cleaned of [scrubber.scrubText(`a ${form} b`), scrubber.scrubJson(JSON.stringify({ x: [`a ${form} b`] }))]) {
      expect(cleaned).toContain(redactedText);
      expect(cleaned).not.toContain(form);
      expect(cleaned).not.toContain(form.slice(0, 8));
    }
  });

  const dialects: [string, (value: string) => string][] = [
    ['plain', inJson],
    ['with escaped slashes', (value) => withSlashes(inJson(value))],
    ['in ASCII', (value) => inAscii(inJson(value))],
    ['in ASCII with escaped slashes', (value) => withSlashes(inAscii(inJson(value)))],
    ['with escaped HTML', (value) => inJson(value).replaceAll('<', '\\u003c')],
    ['within JSON', (value) => inJson(inJson(value))],
    ['within JSON with escaped slashes', (value) => withSlashes(inJson(inJson(value)))],
    ['with escaped slashes, twice', (value) => withSlashes(inJson(withSlashes(inJson(value))))],
  ];

  test.each(dialects)('removes a secret from a string that contains JSON: %s', (_, write) => {
    for (const used of [secret, 'pa"ss/word\\1', 'a/b<ö"c', '-----BEGIN KEY-----\nab/c+\n'.repeat(40)]) {
      const scrubber = scrubberOf(used);
      expect(scrubber.scrubText(write(used))).toBe(write(redactedText));
      expect(scrubber.scrubJson(JSON.stringify([write(used)]))).toBe(JSON.stringify([write(redactedText)]));
    }
  });

  test('removes a very long secret from a string that contains JSON', () => {
    const long = '/"\n'.repeat(10_000);
    const lowerCase = encodeURIComponent(long).toLowerCase();
    for (const write of [inJson, (value: string) => withSlashes(inJson(value))]) {
      expect(scrubberOf(long).scrubText(write(long))).toBe(write(redactedText));
    }
    expect(scrubberOf(long).scrubText(lowerCase)).toBe(redactedText);
  });

  test('removes base64 whose slashes JSON escapes', () => {
    const text = withSlashes(inJson(Buffer.from('???>>>???').toString('base64')));
    expect(scrubberOf('???>>>???').scrubText(text)).toBe(inJson(redactedText));
  });

  test.each(['u', 'us', 'usr', 'user', 'a-user'])('removes it from the Basic header of user %j', (user) => {
    const header = `Basic ${Buffer.from(`${user}:correct horse`).toString('base64')}`;
    const cleaned = scrubberOf('correct horse').scrubText(header);
    expect(Buffer.from(cleaned.slice(6), 'base64').toString('latin1')).not.toMatch(/orrect|hors/);
    expect(cleaned).toContain(redactedText);
  });

  test('JSON remains valid where a secret meets an escape, a number or a name', async () => {
    const scrubber = scrubberOf('nabcd', '12345', '00e9');
    const cleaned = await scrubber.scrubJson(
      JSON.stringify({ text: '\nabcd nabcd', pin: 12_345, other: 9_123_450, nabcd: '\u00e9' }),
    );
    expect(JSON.parse(cleaned)).toEqual({
      text: `\nabcd ${redactedText}`,
      pin: redactedText,
      other: 9_123_450,
      [redactedText]: '\u00e9',
    });
  });

  test('keeps names of prototype members as data', () => {
    const json = '{"__proto__":{"a":"hunter22"},"constructor":1}';
    expect(scrubberOf('hunter22').scrubJson(json)).toBe(`{"__proto__":{"a":"${redactedText}"},"constructor":1}`);
  });

  test('removes secrets from nested data, and the password from a connection string', () => {
    const scrubber = new SecretScrubber();
    scrubber.add({ oauthTokenData: { access_token: 'tok-12345678' }, url: 'mongodb://ann:s3cr%40t!!@host/db' });
    expect(scrubber.scrubText('tok-12345678 s3cr@t!!')).toBe(`${redactedText} ${redactedText}`);
  });

  test('removes the strings that a secret contains as JSON', () => {
    const scrubber = scrubberOf('{"headers":{"x-key":"hunter22"},"body":{"deep":["swordfish"]}}');
    expect(scrubber.scrubText('x-key hunter22 swordfish')).toBe(`x-key ${redactedText} ${redactedText}`);
  });

  test('removes the longer of two secrets with a common prefix as a whole', () => {
    expect(scrubberOf('secret', 'secret-and-more').scrubText('x secret-and-more y')).toBe(`x ${redactedText} y`);
  });

  test('removes secrets that overlap, as one', () => {
    expect(scrubberOf('red green', 'green blue', 'n bl').scrubText('x red green blue y')).toBe(`x ${redactedText} y`);
  });

  test('removes the matching part of a string that starts like a long secret', () => {
    const [start, end] = ['ab1'.repeat(100), 'cd2'.repeat(100)];
    expect(scrubberOf(start + end).scrubText(`x ${start + end} ${start}cy`)).toBe(`x ${redactedText} ${redactedText}y`);
  });

  test('removes the strings that a secret contains as JSON, at any depth', () => {
    const deep = `{"a":${'['.repeat(30_000)}"hunter22"${']'.repeat(30_000)}}`;
    expect(scrubberOf(deep).scrubText('hunter22')).toBe(redactedText);
  });

  /** The scrubbed parts of a string that arrives in chunks. */
  function scrubbedInChunks(scrubber: SecretScrubber, text: string, length: number): string[] {
    const sent: string[] = [];
    let pending = '';
    for (let at = 0; at < text.length; at += length) {
      pending += text.slice(at, at + length);
      const settled = scrubber.settledLength(pending);
      sent.push(scrubber.scrubText(pending.slice(0, settled)));
      pending = pending.slice(settled);
    }
    return [...sent, scrubber.scrubText(pending)];
  }

  const cut: [string, string[], string][] = [
    ['a secret', ['123-45'], 'x 123-45 y 123-4 123123-45'],
    ['a secret in base64', ['hunter22'], `x ${Buffer.from('ann:hunter22').toString('base64')} y`],
    ['the longer of two with a common prefix', ['secret', 'secret-and-more'], 'x secret-and-more y secret-and y secret'],
    ['secrets that overlap', ['red green', 'green blue', 'n bl'], 'x red green blue y red green'],
    ['a secret that ends like another begins', ['hunter22', '22 skidoo'], 'x hunter22 y hunter22 skidoo'],
    ['a long secret', ['ab1'.repeat(100) + 'cd2'.repeat(100)], `x ${'ab1'.repeat(100)}${'cd2'.repeat(100)} y`],
  ];

  test.each(cut)('text that arrives in chunks is scrubbed like the whole: %s', (_, secrets, text) => {
    const scrubber = scrubberOf(...secrets);
    for (const length of [1, 2, 3, 5, 7, 400]) {
      expect(scrubbedInChunks(scrubber, text, length).join('')).toBe(scrubber.scrubText(text));
    }
  });

  test('text that cannot become a secret is not held back, and the rest is limited', () => {
    expect(scrubberOf('hunter22').settledLength('x hunter')).toBe(2);
    expect(scrubberOf('hunter22').settledLength('x hunters')).toBe('x hunters'.length);
    expect(new SecretScrubber().settledLength('x hunter')).toBe('x hunter'.length);
    expect(scrubberOf('abab').settledLength('ab'.repeat(100_000))).toBe(200_000 - 64 * 1024);
  });

  const long: [string, string[], unknown][] = [
    ['many values', ['hunter22'], Array.from({ length: 100_000 }, (_, n) => ({ n, pin: n === 5 ? 'hunter22' : 'x' }))],
    ['a string that is almost a key in JSON, everywhere', ['/"\n'.repeat(10_000)], [inJson('/"\n'.repeat(300_000))]],
    ['one string full of secrets', ['hunter22'], ['a hunter22 '.repeat(300_000)]],
    ['a string that is almost the secret, everywhere', [`${'a'.repeat(20_000)}b${'a'.repeat(20_000)}`], ['a'.repeat(2 ** 20)]],
    ['hundreds of secrets', Array.from({ length: 300 }, (_, n) => `secret ${n * 7_919}`), ['secret 7919 '.repeat(100_000)]],
  ];

  test.each(long)('long JSON is scrubbed like short JSON, in time slices: %s', async (_, secrets, value) => {
    const scrubber = scrubberOf(...secrets);
    const json = JSON.stringify(value);
    let scrubbed = '';
    expect(await longestBusy(async () => (scrubbed = await scrubber.scrubJson(json)))).toBeLessThan(250);
    expect(scrubbed === JSON.stringify(scrubber.scrubValue(JSON.parse(json)))).toBe(true);
  });

  test('scrubbing stops when its signal fires', async () => {
    const json = JSON.stringify(['hunter22'.repeat(1_000_000)]);
    await expect(scrubberOf('hunter22').scrubJson(json, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });

  test('leaves very short secrets, and text without secrets, as they are', () => {
    const json = '{"a":[1,2,"abc"]}';
    expect(scrubberOf('abc', 'a', '').scrubJson(json)).toBe(json);
  });
});
