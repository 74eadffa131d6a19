//! What a method saw of the data, in words: every front end says it alike.

use crate::dataset::{Scaling, Transform};
use crate::findings::DataCard;

impl DataCard {
    /// `each feature scaled to mean 0, deviation 1`, `taken as ranks`, ….
    pub fn seen(&self, scaling: Scaling, transform: Transform) -> String {
        let scaled = match scaling {
            Scaling::Auto | Scaling::Standard if self.is_sparse => "each feature divided by its deviation",
            Scaling::Auto | Scaling::Standard => "each feature scaled to mean 0, deviation 1",
            Scaling::Range => "each feature scaled to 0..1",
            Scaling::None => "not scaled",
        };
        match transform {
            Transform::Ranks => "taken as ranks".to_owned(),
            Transform::Log => format!("log(1+value), {scaled}"),
            Transform::None => scaled.to_owned(),
        }
    }
}
