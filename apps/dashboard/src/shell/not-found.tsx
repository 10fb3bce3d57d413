import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  return (
    <Empty
      icon={<Compass size={22} />}
      title="There is no such page"
      action={
        <Link to="/" className="button secondary">
          To the overview
        </Link>
      }
    />
  );
}
