import { use, type ReactNode } from "react";

import { ServicesContext } from "../api/services.ts";
import { fileAddress } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import { texts } from "../texts/texts.ts";
import type { Target } from "./targets.ts";

interface TargetLinkProps {
  readonly to: Target;
  readonly children: ReactNode;
}

/** A link of a note. Other sites open in another tab, which learns nothing of this one. */
export function TargetLink({ to, children }: TargetLinkProps): ReactNode {
  const mayWrite = use(ServicesContext)?.access.get().mayWrite;
  if (to.kind === "none") return <span>{children}</span>;
  if (to.kind === "vault") {
    const hint = mayWrite?.(to.path) === false ? texts.file.notFound : texts.links.dead;
    const dead = to.isDead === true ? { className: "dead-link", title: hint } : {};
    return (
      <Link to={fileAddress(to.path, to.mark)} {...dead}>
        {children}
      </Link>
    );
  }
  return (
    <a href={to.href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
