import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  return (
    <Empty
      icon={<Compass size={22} />}
      title="Page not found"
      action={
        <Link to="/" className="button secondary">
          Go to the overview
        </Link>
      }
    />
  );
}
