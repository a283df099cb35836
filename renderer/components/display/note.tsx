import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** A word beside the matter: information or a warning. */
export const Note = ({ tone = 'info', children }: { tone?: 'info' | 'warning'; children: ReactNode }) => (
  <div className={`note ${tone}`}>
    {tone === 'info' ? <Info size={16} aria-hidden="true" /> : <TriangleAlert size={16} aria-hidden="true" />}
    <div className="small">{children}</div>
  </div>
);

/** An empty place that says what will be here and how to begin. */
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
  <div className="empty">
    <div className="empty-icon" aria-hidden="true">
      {icon}
    </div>
    <h2>{title}</h2>
    <p className="muted">{children}</p>
    {action}
  </div>
);
