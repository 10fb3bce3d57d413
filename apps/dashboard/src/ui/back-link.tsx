import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';

/** Link from an object's page to the list. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Link to={to} aria-label={label} className="icon-button">
      <ChevronLeft size={17} />
    </Link>
  );
}
