"""What tracker.binding shows of a stored fit."""

from services.tracker.checking.fits import FitStore
from services.tracker.ops.binding import FitQuality
from services.tracker.rows import Bound


class ShownFits:
    def __init__(self, fits: FitStore) -> None:
        self._fits = fits

    async def quality(self, bound: Bound) -> FitQuality | None:
        """None where no fit was made for the namespace itself."""
        stored = await self._fits.of(bound.source.org, bound.storage)
        if stored is None or stored.fit is None:
            return None
        fit = stored.fit
        return FitQuality(
            fitted_at=stored.fitted_at,
            precision=fit.quality.precision,
            recall=fit.quality.recall,
            brier=fit.quality.brier,
            threshold=fit.threshold if fit.serves_duplicates else None,
            pairs=fit.quality.drafts,
            related_recall=fit.quality.related_recall,
            related_share=fit.quality.related_share,
        )
