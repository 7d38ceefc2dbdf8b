import { renderToStaticMarkup } from 'react-dom/server';
import type { RenderFrame } from '../../contract/page-frame.ts';
import type { RenderPublicPage } from '../../contract/public-page.ts';
import { site } from '../api/site.ts';
import { DemoBanner } from '../brand/demo-banner.tsx';
import { dashboardFrame } from '../member/dashboard/dashboard-frame.tsx';
import { AuthLayout } from '../visitor/auth-layout.tsx';
import { PublicDocument } from '../visitor/public-pages/public-document.tsx';

/** Draws a frame without anything that waits for a script: no links to pages of the app, no buttons, no fields. */
export const renderFrame: RenderFrame = (page, input) => {
  Object.assign(site, input.site);
  const frame = page === '/login' ? <LoginFrame /> : page === '/dashboard' ? dashboardFrame(input) : null;
  return (
    frame &&
    renderToStaticMarkup(
      <>
        <DemoBanner>
          <span className="invisible">Start Over</span>
        </DemoBanner>
        {frame}
      </>,
    )
  );
};

export const renderPublicPage: RenderPublicPage = (input) => {
  Object.assign(site, input.site);
  return `<!doctype html>${renderToStaticMarkup(<PublicDocument {...input} />)}`;
};

function LoginFrame() {
  return (
    <AuthLayout title="Sign in" heading={site.club_name} lead="Sign in to your account" footer={null}>
      <div className="h-91" />
    </AuthLayout>
  );
}
