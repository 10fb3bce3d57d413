import { expect, test } from '@jest/globals';
import { summaryOf, withRelease } from './release.ts';

test('the text of a changeset has no front matter', () => {
  expect(summaryOf("---\n'@sluice/cli': minor\n---\n\nWebhooks answer faster.\n")).toBe('Webhooks answer faster.');
});

test('a release gets the unreleased section and the texts of its changesets, above older releases', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- a\n\n## 1.0.0 - 2026-01-01\n\n- old\n';

  expect(withRelease(changelog, '1.1.0', '2026-02-01', ['b', 'c\nd'])).toBe(
    '# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-02-01\n\n- b\n- c\n  d\n\n### Added\n\n- a\n\n## 1.0.0 - 2026-01-01\n\n- old\n',
  );
});

test('a changelog without an unreleased section is rejected', () => {
  expect(() => withRelease('# Changelog\n', '1.0.0', '2026-01-01', [])).toThrow('Unreleased');
});
