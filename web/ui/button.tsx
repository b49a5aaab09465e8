import type { ComponentProps, ReactNode } from "react";

type Look = "plain" | "outline" | "solid" | "danger";

const LOOKS: Readonly<Record<Look, string>> = {
  plain: "text-muted hover:text-ink hover:bg-code",
  outline: "border border-line text-ink hover:border-strong-line bg-raised",
  solid: "bg-accent text-on-accent hover:opacity-90",
  danger: "border border-danger text-danger hover:bg-danger-soft",
};

interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: Look;
}

export function Button({ look = "outline", className = "", ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex min-h-8 items-center gap-1.5 rounded-md px-2.5 py-1 text-sm font-medium transition-colors disabled:opacity-60 ${LOOKS[look]} ${className}`}
    />
  );
}
