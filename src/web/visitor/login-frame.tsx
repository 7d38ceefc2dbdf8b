import { site } from '../api/site.ts';
import { AuthLayout } from './auth-layout.tsx';

/** The sign-in page without its form, for the document. */
export function LoginFrame() {
  return (
    <AuthLayout title="Sign in" heading={site.club_name} lead="Sign in to your account" footer={null}>
      <div className="h-91" />
    </AuthLayout>
  );
}
