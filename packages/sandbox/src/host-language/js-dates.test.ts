import { describe, expect, test } from '@jest/globals';
import { scope, useSandbox } from '../../tests/host-fixture.ts';
import { makeScope } from '../../tests/scope-fixture.ts';

const { inHost, inGuest, inBoth, expectBoth } = useSandbox();

describe("JavaScript's own dates", () => {
  test.each([
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['new Date($now).toISOString().split("T")[0]', '2026-03-28'],
    ['new Date(new Date("2026-05-01")).getTime() - new Date("2026-04-30").getTime()', 86_400_000],
    ['new Date("2026-05-01T10:00:00+02:00").toJSON()', '2026-05-01T08:00:00.000Z'],
    ['new Date("2026-05-01T10:00Z").getHours() + new Date($json.n * 1000.9).getSeconds()', 31],
    ['new Date("2026-05-01").getFullYear() * 100 + new Date("2026-05-01").getMonth() + 1', 202_605],
    ['new Date("2026-05-01T00:30:00Z").format("dd.MM.yyyy HH:mm")', '01.05.2026 02:30'],
    ['new Date().getFullYear() > 2025 && Date.now() > 1e12 && new Date().valueOf() > 1e12', true],
    [`(() => { const at = new Date(86400000); return \`\${at.getDate()}/\${at.getDay()}\` })()`, '2/5'],
  ])('%s is %j, in the host and in the guest', expectBoth);

  test('within text are written as in JSON', async () => {
    const text = '=At {{ new Date(0) }}.';
    expect(inHost(text, scope)?.get('p', 0)).toBe('At 1970-01-01T00:00:00.000Z.');
    expect((await inGuest(text, scope)).get('p', 0)).toBe('At 1970-01-01T00:00:00.000Z.');
  });

  test.each([
    ['with several fields', 'new Date(2026, 0, 1)'],
    ['from text without an offset', 'new Date("2026-05-01T10:00:00").getTime()'],
    ['from other text', 'new Date("May 1, 2026").getTime()'],
    ['from days that do not exist', 'new Date("2026-02-30").getTime()'],
    ['from months that do not exist', 'new Date("2026-13-01").getTime()'],
    ['from finer fractions', 'new Date("2026-05-01T10:00:00.1234Z").getTime()'],
    ['from a missing value', 'new Date($json.missing).getTime()'],
    ['from nothing', 'new Date(null).getTime()'],
    ['far away', 'new Date(1e15)'],
    ['that meet operators', 'new Date() - 1'],
    ['in text literals', `\`\${new Date()}\``],
    ['within lists', '[new Date()]'],
    ['as arguments', 'JSON.stringify(new Date())'],
    ['in a locale', 'new Date().toLocaleString()'],
    ['that change', 'new Date().setDate(1)'],
    ['whose fields are read', 'new Date().getTime ?? 1'],
    ['whose luxon fields are read', 'new Date().year || 1'],
    ['with arguments', 'new Date().getTime(1)'],
    ['without new', 'Date()'],
    ['of other classes', 'new Map()'],
  ])('%s are left to the guest', (_, source) => {
    expect(inHost(`={{ ${source} }}`, scope)).toBeUndefined();
  });

  test('of many texts are the same in the host and in the guest', async () => {
    const joined = (...pieces: string[][]) =>
      pieces.reduce((all, next) => all.flatMap((head) => next.map((tail) => head + tail)));
    const days = joined(
      ['0099', '0100', '1900', '2024', '9999', '+012026'],
      ['-00', '-02', '-04', '-12', '-13'],
      ['-00', '-28', '-29', '-30', '-31', '-32'],
    );
    const times = joined(
      ['T00', 'T23', 'T24'],
      [':00', ':59', ':60', ':30:59', ':30:60', ':00:00.1', ':00:00.12', ''],
      ['', 'Z', '+02:00', '-14:00', '+15:00', '+0200'],
    );
    const all = [...days, ...times.map((time) => `2024-02-29${time}`)];
    const over = makeScope({ items: all.map((text) => ({ json: { text } })) });
    const [host, guest] = await inBoth('new Date($json.text).toISOString()', over);
    expect(host.length).toBeGreaterThan(50);
    expect(host).toEqual(guest);
  });
});
