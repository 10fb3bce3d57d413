import { expect, jest, test } from '@jest/globals';
import { loadMore } from './load-more.ts';

test.each([
  ['reads the next page', {}, 1],
  ['does not read past the last page', { hasNextPage: false }, 0],
  ['reads a page once', { isFetchingNextPage: true }, 0],
  ['does not immediately request a failed page again', { isFetchNextPageError: true, errorUpdatedAt: 99_000 }, 0],
  ['asks again later', { isFetchNextPageError: true, errorUpdatedAt: 80_000 }, 1],
])('%s', (_, state, calls) => {
  const fetchNextPage = jest.fn();
  const pages = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false, errorUpdatedAt: 0 };
  loadMore({ ...pages, ...state, fetchNextPage }, 100_000);
  expect(fetchNextPage).toHaveBeenCalledTimes(calls);
});
