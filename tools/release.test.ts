import { expect, test } from '@jest/globals';
import { summaryOf } from './changesets.ts';
import { withRelease } from './release.ts';

test('the summary of a changeset has no front matter', () => {
  expect(summaryOf("---\n'@sluice/cli': minor\n---\n\nWebhooks answer faster.\n")).toBe('Webhooks answer faster.');
});

test('a release contains its changesets, those with headings last, and precedes older releases', () => {
  const changelog = '# Changelog\n\nChanges.\n\n## 1.0.0 - 2026-01-01\n\n- old\n';

  expect(withRelease(changelog, '1.1.0', '2026-02-01', ['### Added\n\n- a', 'b', 'c\nd'])).toBe(
    '# Changelog\n\nChanges.\n\n## 1.1.0 - 2026-02-01\n\n- b\n- c\n  d\n\n### Added\n\n- a\n\n## 1.0.0 - 2026-01-01\n\n- old\n',
  );
});

test('the first release follows the introduction', () => {
  expect(withRelease('# Changelog\n', '1.0.0', '2026-01-01', ['a'])).toBe('# Changelog\n\n## 1.0.0 - 2026-01-01\n\n- a\n');
});
