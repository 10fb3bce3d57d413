import type { ReactNode } from 'react';

interface PageProps {
  title: string;
  /** Before the title, such as a link to the list. */
  before?: ReactNode;
  /** After the title, such as a status. */
  after?: ReactNode;
  actions?: ReactNode;
  /** The content fills the height and scrolls by itself, as tables and graphs do. */
  fill?: boolean;
  children: ReactNode;
}

/** Frame of a page: header with the title and actions, and the content. */
export function Page({ title, before, after, actions, fill = false, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Sluice`}</title>
      <header className="page-header">
        <div className="row grow">
          {before}
          <h1 className="truncate">{title}</h1>
          {after}
        </div>
        {actions && <div className="row page-actions">{actions}</div>}
      </header>
      <div className={fill ? 'page-fill' : 'page-body'}>{children}</div>
    </>
  );
}

/** A framed part of a page. */
export function Card({ title, actions, children }: { title?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="card">
      {(title || actions) && (
        <header>
          <h2 className="grow">{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}
