import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** A note: information or a warning. */
export const Note = ({ tone = 'info', children }: { tone?: 'info' | 'warning'; children: ReactNode }) => (
  <div className={`note ${tone}`}>
    {tone === 'info' ? <Info size={16} aria-hidden="true" /> : <TriangleAlert size={16} aria-hidden="true" />}
    <div className="small">{children}</div>
  </div>
);

/** An empty state: describes the future content and how to begin. */
export const Empty = ({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) => (
  <div className="empty stack gap-2">
    <div className="empty-icon round centred on-sunken quiet" aria-hidden="true">
      {icon}
    </div>
    <h2>{title}</h2>
    <p className="muted">{children}</p>
    {action}
  </div>
);
