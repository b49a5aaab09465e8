import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import { Empty } from "../ui/notice.tsx";
import { View } from "../ui/view.tsx";
import { HOME, searchAddress } from "./addresses.ts";
import { Link } from "./link.tsx";

/** For an address that names no view. */
export function NotFoundView(): ReactNode {
  return (
    <View header={null}>
      <Empty icon="warning" title={texts.unknown.title}>
        <p>{texts.unknown.hint}</p>
        <p className="mt-3 flex justify-center gap-4">
          <Link to={HOME} className="text-accent underline">
            {texts.nav.home}
          </Link>
          <Link to={searchAddress("")} className="text-accent underline">
            {texts.search.title}
          </Link>
        </p>
      </Empty>
    </View>
  );
}
