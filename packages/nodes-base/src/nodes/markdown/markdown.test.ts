import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { fakeContext, runForJson, runNode } from '../../testing/fake-context.ts';
import { markdown } from './markdown.ts';

async function toMarkdown(html: string, options: JsonObject = {}): Promise<unknown> {
  const [json] = await runForJson(markdown, { parameters: { html, options } });
  return json?.['data'];
}

async function toHtml(text: string, options: JsonObject = {}): Promise<unknown> {
  const [json] = await runForJson(markdown, { parameters: { mode: 'markdownToHtml', markdown: text, options } });
  return json?.['data'];
}

const sets = (...values: [string, string][]) => values.map(([pattern, replacement]) => ({ pattern, replacement }));

describe('HTML to Markdown', () => {
  test.each<[string, JsonObject, string]>([
    ['<h1>T</h1><p>a <b>b</b> <i>c</i></p>', {}, '# T\n\na **b** _c_'],
    ['<ul><li>x<ul><li>y</li></ul></li></ul>', {}, '* x  \n   * y'],
    ['<ol><li>x<ol><li>y</li></ol></li></ol>', {}, '1. x  \n   1. y'],
    [' a  b', {}, ' a b'],
    ['<p>a  b </p>', {}, 'a b '],
    ['   ', {}, ''],
    ['<b>x</b>', { strongDelimiter: 'q' }, 'qxq'],
    ['<ul><li>x</li></ul>', { bulletMarker: '' }, '* x'],
    ['<p>a</p><br><br><br><br><br>b', { maxConsecutiveNewlines: 0 }, 'a\n  \n  \nb'],
    ['<ul><li>x</li></ul>', { bulletMarker: '-' }, '- x'],
    ['<b>x</b><i>y</i>', { strongDelimiter: '__', emDelimiter: '*' }, '__x__*y*'],
    ['<pre><code>q</code></pre>', {}, '```\nq\n```'],
    ['<pre><code>q</code></pre>', { codeFence: '~~~' }, '~~~\nq\n~~~'],
    ['<pre><code>q</code></pre>', { codeBlockStyle: 'indented' }, '    q'],
    ['<a href="u">l</a>', {}, '[l](u)'],
    ['<a href="http://u">l</a>', { useLinkReferenceDefinitions: true }, '[l][1]\n\n[1]: http://u'],
    ['<p>a_b*c</p>', {}, 'a\\_b\\*c'],
    ['<p>a_b</p>', { globalEscape: { value: { pattern: 'b', replacement: '($&)' } } }, 'a_(b)'],
    ['<p>foo</p>', { textReplace: { values: sets(['o+', '0'], ['f', 'F']) } }, 'F0'],
    ['<p>a</p><aside>b</aside>', { ignore: 'aside' }, 'a'],
    ['<img src="data:image/png;base64,AA">', {}, ''],
    ['<img src="data:image/png;base64,AA">', { keepDataImages: true }, '![](data:image/png;base64,AA)'],
    ['<html><head><title>t</title></head><body>x</body></html>', {}, 'x'],
    ['<p>not closed <b>bold', {}, 'not closed **bold**'],
  ])('%s with %j', async (html, options, expected) => {
    expect(await toMarkdown(html, options)).toBe(expected);
  });

  test.each([
    ['lists within lists', '<ul><li>'.repeat(20_000), 'nested more than 256'],
    ['an endless table', '<table>'.concat('<tr><td>x'.repeat(20_000)), 'elements'],
    ['endless line breaks', '<br>'.repeat(20_001), 'elements'],
    ['an endless word in a list', `<li>${'a'.repeat(30_000)}`, 'word'],
  ])('%s is refused in time', async (_, html, message) => {
    await expect(toMarkdown(html)).rejects.toMatchObject({ message: expect.stringContaining(message), itemIndex: 0 });
  });

  test('a delimiter has no spaces', async () => {
    await expect(toMarkdown('<b>x</b>', { strongDelimiter: 'a b' })).rejects.toThrow('"options.strongDelimiter"');
  });
});

describe('Markdown to HTML', () => {
  test.each<[string, JsonObject, string]>([
    ['# My Title!', {}, '<h1 id="mytitle">My Title!</h1>'],
    ['# A\n# A', {}, '<h1 id="a">A</h1>\n<h1 id="a-1">A</h1>'],
    ['# My Title', { ghCompatibleHeaderId: true }, '<h1 id="my-title">My Title</h1>'],
    ['# My Title', { noHeaderId: true, headerLevelStart: 3 }, '<h3>My Title</h3>'],
    ['# T {own}', { customizedHeaderId: true }, '<h1 id="own">T</h1>'],
    ['# T', { prefixHeaderId: 'x-' }, '<h1 id="xt">T</h1>'],
    ['# A b', { rawHeaderId: true }, '<h1 id="a-b">A b</h1>'],
    ['#NoSpace', { requireSpaceBeforeHeadingText: true }, '<p>#NoSpace</p>'],
    ['a **b** <i>c</i>', {}, '<p>a <strong>b</strong> <i>c</i></p>'],
    ['a\nb', { simpleLineBreaks: true }, '<p>a<br />\nb</p>'],
    ['~~a~~', {}, '<p>~~a~~</p>'],
    ['~~a~~', { strikethrough: true }, '<p><del>a</del></p>'],
    ['|a|\n|-|\n|1|', {}, '<p>|a|\n|-|\n|1|</p>'],
    ['[l](u)', { openLinksInNewWindow: true }, '<p><a href="u" rel="noopener noreferrer" target="_blank">l</a></p>'],
    [
      'http://u.org.',
      { simplifiedAutoLink: true, excludeTrailingPunctuationFromURLs: true },
      '<p><a href="http://u.org">http://u.org</a>.</p>',
    ],
    [
      '- [x] a',
      { tasklists: true, simpleLineBreaks: false },
      '<input type="checkbox" disabled style="margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;" checked> a',
    ],
    ['* a\n    * b', {}, '<ul>\n<li>a<ul>\n<li>b</li></ul></li>\n</ul>'],
    ['* a\n  * b', {}, '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['* a\n  * b', { disableForced4SpacesIndentedSublists: true }, '<ul>\n<li>a<ul>\n<li>b</li></ul></li>\n</ul>'],
    ['```\na\n```', { ghCodeBlocks: false }, '<p><code>\na\n</code></p>'],
    [':smile:', { emoji: true }, '<p>😄</p>'],
    ['![a](b.png =10x20)', { parseImgDimensions: true }, '<p><img src="b.png" alt="a" width="10" height="20" /></p>'],
    ['<a@b.de>', { encodeEmails: false }, '<p><a href="mailto:a@b.de">a@b.de</a></p>'],
    ['a*b*c *d*', { literalMidWordAsterisks: true }, '<p>a*b*c <em>d</em></p>'],
    ['a_b_c', { literalMidWordUnderscores: true }, '<p>a_b_c</p>'],
    ['\\<b>', { backslashEscapesHTMLTags: true }, '<p>&lt;b&gt;</p>'],
    ['|Unit Price|\n|---|\n|1|', { tables: true, tablesHeaderId: true }, '<th id="unit_price">Unit Price</th>'],
    ['hi @ada, mail a@b', { ghMentions: true }, '<p>hi <a href="https://github.com/ada">@ada</a>, mail a@b</p>'],
    ['@ada', { ghMentions: true, ghMentionsLink: 'https://x.y/{u}' }, '<p><a href="https://x.y/ada">@ada</a></p>'],
    ['> a\n\n> b', { splitAdjacentBlockquotes: true }, '</blockquote>\n<blockquote>'],
  ])('%j with %j', async (text, options, expected) => {
    expect(await toHtml(text, options)).toContain(expected);
  });

  test('returns a whole document with the option', async () => {
    expect(await toHtml('a', { completeHTMLDocument: true })).toMatch(/^<!DOCTYPE HTML>[\s\S]*<p>a<\/p>[\s\S]*<\/html>$/);
  });

  test('email addresses in angle brackets are hidden from address harvesters', async () => {
    const html = String(await toHtml('<a@b.de>'));
    expect(html).not.toContain('a@b.de');
    expect(
      html.replace(/&#(x?)([\da-f]+);/g, (_, hex, code) => String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10))),
    ).toBe('<p><a href="mailto:a@b.de">a@b.de</a></p>');
  });
});

test('the result is added to the item’s fields and files, paired with the item', async () => {
  const binary = { f: { id: 'f', mimeType: 'text/plain' } };
  const run = { inputs: [[{ json: { a: 1 }, binary }]], parameters: { html: '<b>x</b>', destinationKey: 'o.md' } };
  expect(await runNode(markdown, run)).toEqual([[{ json: { a: 1, o: { md: '**x**' } }, binary, pairedItem: { item: 0 } }]]);
});

test('a failed item has an error if the node continues', async () => {
  const run = { json: [{}], parameters: {}, continueOnFail: true };
  expect(await runForJson(markdown, run)).toEqual([{ error: 'the parameter "html" is required' }]);
});

test('deeply nested quotes are an error of the item', async () => {
  const run = { json: [{}], parameters: { mode: 'markdownToHtml', markdown: '>'.repeat(20_000) } };
  await expect(runForJson(markdown, run)).rejects.toMatchObject({
    code: 'NODE_OPERATION_ERROR',
    message: 'the data of the item is nested too deeply',
    itemIndex: 0,
  });
});

test('an expression without a value does not change the item', async () => {
  const context = fakeContext({ json: [{ a: 1 }], parameters: { mode: 'markdownToHtml' } });
  const node = { ...context.node, parameters: { mode: 'markdownToHtml', markdown: '={{ $json.b }}' } };
  expect(await markdown.execute?.({ ...context, node })).toEqual([[{ json: { a: 1 }, pairedItem: { item: 0 } }]]);
});

test('null instead of Markdown remains null', async () => {
  const run = {
    json: [{ a: 1 }],
    parameters: { mode: 'markdownToHtml', markdown: null },
    written: { markdown: '={{ null }}' },
  };
  expect(await runForJson(markdown, run)).toEqual([{ a: 1, data: null }]);
});
