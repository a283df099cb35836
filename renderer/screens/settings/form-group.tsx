import type { ReactNode } from 'react';

/** A titled part of a form: what it is for at the side, its fields beside it. */
export const FormGroup = ({
  title,
  lead,
  children,
}: {
  title: string;
  lead: string;
  children: ReactNode;
}) => (
  <section className="panel form-group" aria-label={title}>
    <div className="form-group-head">
      <h3>{title}</h3>
      <p className="small quiet">{lead}</p>
    </div>
    <div className="stack">{children}</div>
  </section>
);
