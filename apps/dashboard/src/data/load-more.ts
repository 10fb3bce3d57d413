interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  errorUpdatedAt: number;
  fetchNextPage(): unknown;
}

/** Milliseconds until a page that failed is requested again: a table requests it at each render. */
const retryMs = 10_000;

/** Reads the next page of a list, if there is one and it is not being read. */
export function loadMore(pages: Pages, now = Date.now()): void {
  if (!pages.hasNextPage || pages.isFetchingNextPage) return;
  if (pages.isFetchNextPageError && now - pages.errorUpdatedAt < retryMs) return;
  void pages.fetchNextPage();
}
